// An MPI program whose traffic is known: rank r sends rank (r + k) mod n, for k = 1, 2, .. n - 1, k messages of
// 1000 r + k bytes. With the word `broadcast`, rank 0 also broadcasts 4000 bytes.
#include <mpi.h>

#include <cstring>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<char> out(1000 * ranks), in(1000 * ranks);
    for (int k = 1; k < ranks; ++k)
        for (int message = 0; message < k; ++message)
            MPI_Sendrecv(out.data(), 1000 * rank + k, MPI_CHAR, (rank + k) % ranks, 0, in.data(), int(in.size()),
                         MPI_CHAR, (rank + ranks - k) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc > 1 && std::strcmp(argv[1], "broadcast") == 0) {
        std::vector<char> message(4000);
        MPI_Bcast(message.data(), int(message.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
