// MSCCL's algorithms: steps of thread blocks, each of which sends to one GPU and receives from one.
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"

#ifdef TAILBACK_HAS_EXPAT
#include <expat.h>
#endif
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

namespace tailback::traffic {

#ifndef TAILBACK_HAS_EXPAT

TrafficMatrix read_msccl(io::LineReader& lines) {
    throw base::InputError({lines.name(), 0}, "the file is XML", "this program was built without expat",
                           "build it with expat, or give the traffic in another form");
}

#else

namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;

class MscclReader {
public:
    explicit MscclReader(std::string name)
        : name_(std::move(name)),
          parser_(XML_ParserCreate(nullptr)),
          sends_([this] { return place(); }),
          receives_([this] { return place(); }) {
        if (parser_ == nullptr) throw std::bad_alloc();
        XML_SetUserData(parser_, this);
        XML_SetElementHandler(parser_, begin, end);
    }
    ~MscclReader() { XML_ParserFree(parser_); }
    MscclReader(MscclReader const&) = delete;
    MscclReader& operator=(MscclReader const&) = delete;

    TrafficMatrix read(std::string const& text) {
        bool const parsed = XML_Parse(parser_, text.data(), int(text.size()), 1) == XML_STATUS_OK;
        if (failure_) std::rethrow_exception(failure_);
        if (!parsed)
            throw base::InputError(place(), "the XML is damaged", XML_ErrorString(XML_GetErrorCode(parser_)),
                                   "check that the file is complete");
        if (!sends_.ranks_declared())
            throw base::InputError({name_, 0}, "there is no algorithm of MSCCL in the file", "it has no <algo>",
                                   "check that this is the right file");
        TrafficMatrix const received = receives_.take("");
        TrafficMatrix matrix = sends_.take("an MSCCL algorithm");
        matrix.unit = Unit::chunks;
        matrix.messages_known = true;
        matrix.notes.push_back("the algorithm has no bytes: what it sends is counted in chunks");
        if (received.entries == matrix.entries) ++matrix.sums_checked;
        else
            matrix.warnings.push_back(
                "sends and receives of the algorithm do not fit each other; its sends were taken");
        return matrix;
    }

    base::SourceLocation place() const { return {name_, std::size_t(XML_GetCurrentLineNumber(parser_))}; }

private:
    static void XMLCALL begin(void* self, XML_Char const* element, XML_Char const** attributes) {
        auto& here = *static_cast<MscclReader*>(self);
        if (here.failure_) return;
        try {
            here.take_element(element, attributes);
        } catch (...) {  // nothing may pass through expat
            here.failure_ = std::current_exception();
            XML_StopParser(here.parser_, XML_FALSE);
        }
    }
    static void XMLCALL end(void* self, XML_Char const* element) {
        auto& here = *static_cast<MscclReader*>(self);
        std::string_view const name = element;
        if (name == "gpu") here.gpu_.reset();
        if (name == "tb") here.in_block_ = false;
    }

    std::string_view attribute(XML_Char const** attributes, char const* name) const {
        for (; *attributes != nullptr; attributes += 2)
            if (std::string_view(*attributes) == name) return attributes[1];
        throw base::InputError(place(), fmt::format("the attribute `{}` is missing", name),
                               "algorithms of MSCCL have it", "check that this is the right file");
    }
    std::uint64_t number(XML_Char const** attributes, char const* name) const {
        return whole(*this, attribute(attributes, name), name);
    }
    /// A GPU; none for -1.
    std::optional<std::uint32_t> peer(XML_Char const** attributes, char const* name) {
        if (attribute(attributes, name) == "-1") return std::nullopt;
        return sends_.rank(number(attributes, name));
    }
    void take_element(std::string_view name, XML_Char const** attributes) {
        if (name == "algo") {
            std::uint64_t const gpus = number(attributes, "ngpus");
            sends_.declare_ranks(gpus);
            receives_.declare_ranks(gpus);
        } else if (name == "gpu") {
            require(sends_.ranks_declared(), "<gpu> outside <algo>");
            gpu_ = sends_.rank(number(attributes, "id"));
        } else if (name == "tb") {
            require(gpu_.has_value(), "<tb> outside <gpu>");
            send_ = peer(attributes, "send");
            receive_ = peer(attributes, "recv");
            in_block_ = true;
        } else if (name == "step") {
            require(in_block_ && gpu_.has_value(), "<step> outside <tb>");
            take_step(attributes);
        }
    }
    void take_step(XML_Char const** attributes) {
        struct Kind {
            char const* name;
            bool sends, receives;
        };
        static constexpr Kind kinds[] = {{"s", true, false},    {"r", false, true},   {"rcs", true, true},
                                         {"rrs", true, true},   {"rrcs", true, true}, {"rrc", false, true},
                                         {"cpy", false, false}, {"re", false, false}, {"nop", false, false}};
        std::string_view const type = attribute(attributes, "type");
        auto const kind =
            std::find_if(std::begin(kinds), std::end(kinds), [&](Kind const& k) { return type == k.name; });
        if (kind == std::end(kinds))
            throw base::InputError(place(), "the step " + shown(type) + " is not known",
                                   "steps are s, r, rcs, rrc, rrs, rrcs, cpy, re and nop", "check this line");
        if (!kind->sends && !kind->receives) return;
        require(!kind->sends || send_.has_value(), "a step sends, and its <tb> has nobody to send to");
        require(!kind->receives || receive_.has_value(), "a step receives, and its <tb> has nobody to receive from");
        std::uint64_t const chunks = number(attributes, "cnt");
        if (kind->sends) sends_.add({*gpu_, *send_, chunks, 1});
        if (kind->receives) receives_.add({*receive_, *gpu_, chunks, 1});
    }
    void require(bool holds, char const* problem) const {
        if (!holds)
            throw base::InputError(place(), problem, "this is no sound algorithm of MSCCL",
                                   "check that the file is complete");
    }

    std::string name_;
    XML_Parser parser_;
    MatrixBuilder sends_, receives_;
    std::optional<std::uint32_t> gpu_, send_, receive_;
    bool in_block_ = false;
    std::exception_ptr failure_;
};

}  // namespace

TrafficMatrix read_msccl(io::LineReader& lines) {
    std::string const name = lines.name();
    return MscclReader(name).read(lines.rest(largest_file));
}

#endif

}  // namespace tailback::traffic
