# Bars: what this program measures; marks: what was published, or follows from the law of the routing. `run` gives the table.
set terminal svg size 860,420 font "Helvetica,13" background "white"
set output "routing.svg"
set datafile separator ","
set title "8-ary 2-cube: throughput as a fraction of capacity"
set style data histogram
set style histogram clustered gap 1.2
set style fill solid 0.9 border lt -1
set boxwidth 0.9
set yrange [0:1.15]
set grid ytics lc rgb "#dddddd"
set key outside right top
set ylabel "1 / largest load of a link"
plot table using 2:xtic(1) lc rgb "#4477aa" title "dor", \
     "" using 3 lc rgb "#66ccee" title "romm", \
     "" using 4 lc rgb "#ccbb44" title "valiant:by=dor:ties=parity", \
     "" using ($0-0.24):5 with points pt 7 ps 0.7 lc rgb "#000000" title "published, DOR", \
     "" using ($0):6 with points pt 5 ps 0.6 lc rgb "#228833" title "exact law, ROMM", \
     "" using ($0+0.24):7 with points pt 9 ps 0.8 lc rgb "#aa3377" title "published, Valiant"
