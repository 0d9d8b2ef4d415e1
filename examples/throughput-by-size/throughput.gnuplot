# Left: what a flow gets on average; right: what it gets when all go as fast as the slowest. One permutation is one flow a host.
set terminal svg size 1180,880 font "Helvetica,13" background "white"
set output "throughput.svg"
set datafile separator ","
rows(family, routing) = "< awk -F, -v f='" . family . "' -v r='" . routing . "' '{ x = $0; spec = x; sub(/^\"/, \"\", spec); gsub(/\"[^\"]*\"/, \"x\", x); split(x, c, \",\"); if (index(spec, f \":\") == 1 && c[2] == r) print c[3] \",\" c[6] \",\" c[7] }' throughput.csv"
set logscale xy
set xrange [800:1500000]
set grid lc rgb "#dddddd"
set xlabel "hosts"
set format x "10^{%L}"
set multiplot
set bmargin screen 0.58
set tmargin screen 0.95
set lmargin screen 0.06
set rmargin screen 0.39
set yrange [0.02:1]
set title "mean bandwidth of a flow (1 = a link)"
set key off
plot rows("kary-ntree", "dmodk") using 1:3 with linespoints pt 5 ps 0.6 lw 2 lc rgb "#4477aa" title "fat tree, dmodk", \
     rows("thintree", "dmodk") using 1:3 with linespoints pt 4 ps 0.7 lw 2 lc rgb "#66ccee" title "thin tree 2:1, dmodk", \
     rows("dragonfly", "minimal") using 1:3 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#228833" title "dragonfly, minimal", \
     rows("torus", "dor") using 1:3 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#ccbb44" title "3-D torus, dor", \
     rows("jellyfish", "bfs") using 1:3 with linespoints pt 11 ps 0.8 lw 2 lc rgb "#ee6677" title "Jellyfish, bfs", \
     rows("jellyfish", "minhop") using 1:3 with linespoints pt 8 ps 0.8 lw 2 dt 4 lc rgb "#ee6677" title "Jellyfish, minhop", \
     rows("jellyfish", "sssp") using 1:3 with linespoints pt 10 ps 0.9 lw 2 dt 2 lc rgb "#ee6677" title "Jellyfish, sssp", \
     rows("jellyfish", "ecmp") using 1:3 with linespoints pt 12 ps 0.9 lw 2 dt 3 lc rgb "#aa3377" title "Jellyfish, ecmp"
set title "1 / largest load of a link"
set key outside right center
set lmargin screen 0.46
set rmargin screen 0.79
plot rows("kary-ntree", "dmodk") using 1:2 with linespoints pt 5 ps 0.6 lw 2 lc rgb "#4477aa" title "fat tree, dmodk", \
     rows("thintree", "dmodk") using 1:2 with linespoints pt 4 ps 0.7 lw 2 lc rgb "#66ccee" title "thin tree 2:1, dmodk", \
     rows("dragonfly", "minimal") using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#228833" title "dragonfly, minimal", \
     rows("torus", "dor") using 1:2 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#ccbb44" title "3-D torus, dor", \
     rows("jellyfish", "bfs") using 1:2 with linespoints pt 11 ps 0.8 lw 2 lc rgb "#ee6677" title "Jellyfish, bfs", \
     rows("jellyfish", "minhop") using 1:2 with linespoints pt 8 ps 0.8 lw 2 dt 4 lc rgb "#ee6677" title "Jellyfish, minhop", \
     rows("jellyfish", "sssp") using 1:2 with linespoints pt 10 ps 0.9 lw 2 dt 2 lc rgb "#ee6677" title "Jellyfish, sssp", \
     rows("jellyfish", "ecmp") using 1:2 with linespoints pt 12 ps 0.9 lw 2 dt 3 lc rgb "#aa3377" title "Jellyfish, ecmp"
# Below: server-centric networks, where hosts forward.
set bmargin screen 0.08
set tmargin screen 0.45
set lmargin screen 0.06
set rmargin screen 0.39
set key off
set yrange [0.001:1]
set title "server-centric: mean bandwidth of a flow"
plot rows("bcube", "dimensional") using 1:3 with linespoints pt 5 ps 0.6 lw 2 lc rgb "#4477aa" title "BCube", \
     rows("dpillar", "columns") using 1:3 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#228833" title "DPillar", \
     rows("dcell", "recursive") using 1:3 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#ccbb44" title "DCell", \
     rows("ficonn", "recursive") using 1:3 with linespoints pt 4 ps 0.7 lw 2 lc rgb "#66ccee" title "FiConn", \
     rows("hcn", "recursive") using 1:3 with linespoints pt 11 ps 0.8 lw 2 lc rgb "#ee6677" title "HCN", \
     rows("bcn", "recursive") using 1:3 with linespoints pt 10 ps 0.9 lw 2 dt 2 lc rgb "#aa3377" title "BCN"
set key outside right center
set lmargin screen 0.46
set rmargin screen 0.79
set title "server-centric: 1 / largest load of a link"
set yrange [0.0005:1]
plot rows("bcube", "dimensional") using 1:2 with linespoints pt 5 ps 0.6 lw 2 lc rgb "#4477aa" title "BCube", \
     rows("dpillar", "columns") using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb "#228833" title "DPillar", \
     rows("dcell", "recursive") using 1:2 with linespoints pt 9 ps 0.7 lw 2 lc rgb "#ccbb44" title "DCell", \
     rows("ficonn", "recursive") using 1:2 with linespoints pt 4 ps 0.7 lw 2 lc rgb "#66ccee" title "FiConn", \
     rows("hcn", "recursive") using 1:2 with linespoints pt 11 ps 0.8 lw 2 lc rgb "#ee6677" title "HCN", \
     rows("bcn", "recursive") using 1:2 with linespoints pt 10 ps 0.9 lw 2 dt 2 lc rgb "#aa3377" title "BCN"
unset multiplot
