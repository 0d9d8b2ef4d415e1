// PFProf's archives: a JSON file a rank, in a packed tar. `tx_bytes` and `tx_messages` are what the rank sends to each;
// `tx_message_sizes` counts the same messages by size, a second sum of them.
#include "host/base/numbers.hpp"
#include "host/traffic/traces/traces.hpp"

#ifdef TAILBACK_LIBARCHIVE
#include "host/traffic/traces/libarchive.hpp"
#endif
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>

namespace tailback::traffic {

#ifndef TAILBACK_LIBARCHIVE

TrafficMatrix read_pfprof(std::unique_ptr<io::ByteSource>, std::string const& name) {
    throw base::InputError({name, 0}, "the file is a packed archive", "this program was built without libarchive",
                           "build it with libarchive, or give the traffic in another form");
}

#else

namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_profile = std::size_t{64} << 20;  // a rank of 500,000 takes less

/// The files of an archive, one after the other.
class Archive {
public:
    Archive(std::unique_ptr<io::ByteSource> source, std::string name)
        : source_(std::move(source)),
          name_(std::move(name)),
          buffer_(std::size_t{1} << 17),
          library_(name_),
          archive_(library_.read_new(), library_.read_free) {
        if (archive_ == nullptr) throw std::bad_alloc();
        library_.read_support_filter_gzip(archive_.get());
        library_.read_support_filter_bzip2(archive_.get());
        library_.read_support_filter_zstd(archive_.get());
        library_.read_support_format_tar(archive_.get());
        if (library_.read_open(archive_.get(), this, nullptr, give, nullptr) != ARCHIVE_OK) fail();
    }
    Archive(Archive const&) = delete;
    Archive& operator=(Archive const&) = delete;

    /// The next regular file; false at the end.
    bool next(std::string& file, std::string& text) {
        archive_entry* entry = nullptr;
        for (;;) {
            int const result = library_.read_next_header(archive_.get(), &entry);
            if (result == ARCHIVE_EOF) return false;
            if (result != ARCHIVE_OK && result != ARCHIVE_WARN) fail();
            if (library_.entry_filetype(entry) == AE_IFREG) break;
        }
        char const* const path = library_.entry_pathname(entry);
        file = name_ + ":" + (path != nullptr ? path : "?");
        text.clear();
        for (;;) {
            std::size_t const have = text.size();
            text.resize(have + buffer_.size());
            la_ssize_t const got = library_.read_data(archive_.get(), text.data() + have, buffer_.size());
            if (got < 0) fail();
            text.resize(have + std::size_t(got));
            if (got == 0) return true;
            if (text.size() > largest_profile)
                throw base::InputError({file, 0}, "the file is larger than 64 MiB", "PFProf's files are smaller",
                                       "check that this is the right archive");
        }
    }

private:
    static la_ssize_t give(archive*, void* self, void const** bytes) {
        auto& here = *static_cast<Archive*>(self);
        *bytes = here.buffer_.data();
        try {
            return la_ssize_t(here.source_->read(here.buffer_.data(), here.buffer_.size()));
        } catch (...) {  // nothing may pass through libarchive
            here.failure_ = std::current_exception();
            return -1;
        }
    }
    [[noreturn]] void fail() const {
        if (failure_) std::rethrow_exception(failure_);
        char const* const said = library_.error_string(archive_.get());
        throw base::InputError({name_, 0}, "the archive cannot be read", said != nullptr ? said : "",
                               "check that it is a whole tar file; of other packed files, unpack them first");
    }

    std::unique_ptr<io::ByteSource> source_;
    std::string name_;
    std::vector<char> buffer_;
    LibArchive library_;
    std::unique_ptr<archive, int (*)(archive*)> archive_;
    std::exception_ptr failure_;
};

/// One rank's file.
class RankFile {
public:
    RankFile(std::string const& text, std::string file)
        : file_(std::move(file)), json_(Json::parse(text, nullptr, false)) {
        if (json_.is_discarded() || !json_.is_object())
            throw base::InputError({file_, 0}, "this is not a file of PFProf", "it is not JSON object",
                                   "check that this is the right archive");
    }
    std::string const& file() const { return file_; }
    std::string host() const {
        auto const at = json_.find("processor_name");
        return at != json_.end() && at->is_string() ? at->get<std::string>() : "";
    }
    std::uint64_t number(char const* key) const { return number(member(json_, key), key); }
    /// An array of `count` numbers.
    std::vector<std::uint64_t> numbers(char const* key, std::uint64_t count) const {
        Json const& array = member(json_, key);
        if (!array.is_array() || array.size() != count)
            throw base::InputError({file_, 0}, fmt::format("\"{}\" is not a list of {} numbers", key, count),
                                   "it has one for every rank", "check that this is the right archive");
        std::vector<std::uint64_t> numbers;
        for (Json const& item : array) numbers.push_back(number(item, key));
        return numbers;
    }
    /// True when the sizes of messages, where they are listed, add up to `bytes` in `messages`.
    bool sizes_agree(std::uint64_t bytes, std::uint64_t messages) const {
        auto const sizes = json_.find("tx_message_sizes");
        if (sizes == json_.end() || !sizes->is_array()) return false;
        std::uint64_t sum = 0, count = 0;
        for (Json const& size : *sizes) {  // modulo 2^64, as both sides are below that
            std::uint64_t const frequency = number(member(size, "frequency"), "frequency");
            count += frequency;
            sum += frequency * number(member(size, "message_size"), "message_size");
        }
        if (sum != bytes || count != messages)
            throw base::InputError(
                {file_, 0},
                fmt::format("the rank sends {} bytes in {} messages", base::grouped(bytes), base::grouped(messages)),
                fmt::format("its message sizes add up to {} bytes in {} messages", base::grouped(sum),
                            base::grouped(count)),
                "the file is damaged; trace the application again");
        return true;
    }

private:
    Json const& member(Json const& object, char const* key) const {
        auto const at = object.is_object() ? object.find(key) : object.end();
        if (!object.is_object() || at == object.end())
            throw base::InputError({file_, 0}, fmt::format("\"{}\" is missing", key), "every file of PFProf has it",
                                   "check that this is the right archive");
        return *at;
    }
    std::uint64_t number(Json const& value, char const* key) const {
        if (!value.is_number_unsigned())
            throw base::InputError(
                {file_, 0}, fmt::format("\"{}\" is not a whole number below 2^64", key),
                "it is " + base::printable(value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 40)),
                "check this file of the archive");
        return value.get<std::uint64_t>();
    }

    std::string file_;
    Json json_;
};

class PfprofReader {
public:
    explicit PfprofReader(std::string name) : name_(std::move(name)), builder_([this] { return place_; }) {}

    void read(RankFile const& file) {
        place_ = {file.file(), 0};
        std::uint64_t const ranks = file.number("n_procs");
        if (!builder_.ranks_declared()) builder_.declare_ranks(ranks);
        if (ranks != builder_.ranks())
            throw base::InputError(place_, fmt::format("the file is of a run of {} ranks", ranks),
                                   fmt::format("those before it are of {}", builder_.ranks()),
                                   "check that this is the right archive");
        std::vector<std::uint64_t> const bytes = file.numbers("tx_bytes", ranks),
                                         messages = file.numbers("tx_messages", ranks);
        std::uint32_t const rank = builder_.rank(file.number("rank"));
        if (hosts_.empty()) hosts_.resize(ranks), read_.resize(ranks);  // as many as the file itself has numbers
        if (read_[rank])
            throw base::InputError(place_, fmt::format("rank {} comes twice", rank), "",
                                   "check that this is the right archive");
        read_[rank] = true;
        hosts_[rank] = file.host();
        row_order_.push_back(rank);
        std::uint64_t all_bytes = 0, all_messages = 0;
        for (std::uint32_t to = 0; to < ranks; ++to) {
            builder_.add({rank, to, bytes[to], messages[to]});
            all_bytes += bytes[to];
            all_messages += messages[to];
        }
        sums_checked_ += file.sizes_agree(all_bytes, all_messages) ? 2 : 0;
    }

    TrafficMatrix take() {
        for (std::size_t rank = 0; rank < read_.size(); ++rank)
            if (!read_[rank])
                throw base::InputError({name_, 0}, fmt::format("the file of rank {} is missing", rank),
                                       fmt::format("the run had {} ranks", read_.size()),
                                       "pack the files of all ranks");
        if (read_.empty())
            throw base::InputError({name_, 0}, "there is no file of PFProf in the archive",
                                   "they are JSON files, one for every rank", "check that this is the right archive");
        TrafficMatrix matrix = builder_.take("a PFProf archive");
        matrix.messages_known = true;
        matrix.sums_checked = sums_checked_;
        matrix.hosts = std::move(hosts_);
        matrix.row_order = std::move(row_order_);
        return matrix;
    }

private:
    std::string name_;
    base::SourceLocation place_;
    MatrixBuilder builder_;
    std::vector<bool> read_;
    std::vector<std::string> hosts_;
    std::vector<std::uint32_t> row_order_;
    std::uint64_t sums_checked_ = 0;
};

}  // namespace

TrafficMatrix read_pfprof(std::unique_ptr<io::ByteSource> archive, std::string const& name) {
    Archive files(std::move(archive), name);
    PfprofReader reader(name);
    std::string file, text;
    while (files.next(file, text))
        if (file.ends_with(".json")) reader.read(RankFile(text, file));
    return reader.take();
}

#endif

}  // namespace tailback::traffic
