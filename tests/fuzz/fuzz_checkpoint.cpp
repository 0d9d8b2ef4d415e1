// Fuzz target: checkpoints of one study, by the first character: words behind the study's own head, with the count and
// the digest that fit (`w`), else a whole file. Whatever comes out is written and read again as the same.
#include "host/api/study.hpp"
#include "host/base/digest.hpp"
#include "host/evaluation/checkpoint.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <cstring>

namespace {

using namespace tailback;

StudyRequest request() {
    StudyRequest request;
    request.network = NetworkChoice("kary-ntree:k=2,n=2");
    request.study.traffic.pattern = "rand";
    request.study.sample.mappings = 60;
    request.study.measures.metrics = metrics_of_all();
    request.mappings_given = true;
    return request;
}

struct Kept {
    Kept() {
        Checkpoint checkpoint(file, study.plan());
        checkpoint.save(checkpoint.nothing());
        std::string const text = read_whole(file);
        head = text.substr(0, text.find("\n\n") + 2);
    }
    TemporaryFolder folder;
    std::string file = folder / "checkpoint";
    PreparedStudy study{request()};
    std::string head;
};

std::string of_words(std::string const& head, std::string const& bytes) {
    std::vector<std::uint64_t> words(bytes.size() / 8 + 2);
    std::memcpy(words.data() + 1, bytes.data(), bytes.size() / 8 * 8);
    words.front() = words.size() - 2;
    Digest sum;
    sum.add(head);
    for (std::size_t w = 0; w + 1 < words.size(); ++w) sum.add(words[w]);
    words.back() = sum.value();
    return head + std::string(reinterpret_cast<char const*>(words.data()), 8 * words.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    static Kept const kept;
    std::string const bytes(reinterpret_cast<char const*>(data) + 1, size - 1);
    kept.folder.write("checkpoint", data[0] == 'w' ? of_words(kept.head, bytes) : bytes);
    answer([&] {
        Checkpoint checkpoint(kept.file, kept.study.plan());
        std::vector<RunSums> const found = checkpoint.load();
        must(found.size() == 1 && found.front().mappings <= 60);
        checkpoint.save(found);
        must(checkpoint.load().front().words(true) == found.front().words(true));
    });
    return 0;
}
