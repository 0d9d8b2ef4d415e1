# Left: bandwidth of thin trees of 4,096 hosts by their slimming; right: what a unit of cost buys, for three sizes.
set terminal svg size 980,420 font "Helvetica,13" background "white"
set output "thin-tree.svg"
set datafile separator ","
set xrange [0.7:8.3]
set xtics ("8:1" 1, "8:2" 2, "8:3" 3, "8:4" 4, "8:5" 5, "8:6" 6, "8:7" 7, "8:8" 8)
set grid lc rgb "#dddddd"
set multiplot layout 1,2
set title "4,096 hosts (n = 4)"
set yrange [0:1.05]
set key top left
plot "< awk -F, '$1 == 4' thin-tree.csv" using 2:9 with lines lw 2 dt 2 lc rgb "#000000" title "published: Theta", \
     "" using 2:11 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#4477aa" title "uniform traffic, exact", \
     "" using 2:12 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#ee6677" title "random pairings (eBB)", \
     "" using 2:14 with linespoints pt 5 ps 0.5 lw 2 lc rgb "#888888" title "cost, switches x radix"
set title "eBB per cost (switches x radix), complete tree = 1"
set yrange [0:*]
set key bottom right
plot "< awk -F, '$1 == 2' thin-tree.csv" using 2:15 with linespoints pt 5 ps 0.5 lw 2 lc rgb "#228833" title "64 hosts", \
     "< awk -F, '$1 == 3' thin-tree.csv" using 2:15 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#ccbb44" title "512 hosts", \
     "< awk -F, '$1 == 4' thin-tree.csv" using 2:15 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#aa3377" title "4,096 hosts"
unset multiplot
