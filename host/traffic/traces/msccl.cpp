// MSCCL's algorithms: steps of thread blocks, each of which sends to one GPU and receives from one.
#include "host/io/xml_reader.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/traces/traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tailback::traffic {

namespace {

constexpr std::size_t largest_program = std::size_t{256} << 20;

class MscclReader : public io::XmlHandler {
public:
    explicit MscclReader(std::string name)
        : name_(std::move(name)), sends_([this] { return place(); }), receives_([this] { return place(); }) {}

    /// What was read, once the file has ended.
    TrafficMatrix take() {
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

    void begin(std::string_view name, io::XmlAttributes const& attributes) override { take_element(name, attributes); }
    void end(std::string_view name) override {
        if (name == "gpu") gpu_.reset();
        if (name == "tb") in_block_ = false;
    }

private:
    std::string_view attribute(io::XmlAttributes const& attributes, char const* name) const {
        if (auto const value = attributes.find(name)) return *value;
        throw base::InputError(place(), fmt::format("the attribute `{}` is missing", name),
                               "algorithms of MSCCL have it", "check that this is the right file");
    }
    std::uint64_t number(io::XmlAttributes const& attributes, char const* name) const {
        return whole(*this, attribute(attributes, name), name);
    }
    /// A GPU; none for -1.
    std::optional<std::uint32_t> peer(io::XmlAttributes const& attributes, char const* name) {
        if (attribute(attributes, name) == "-1") return std::nullopt;
        return sends_.rank(number(attributes, name));
    }
    void take_element(std::string_view name, io::XmlAttributes const& attributes) {
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
    void take_step(io::XmlAttributes const& attributes) {
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
            throw base::InputError(place(), problem, "this is not a sound algorithm of MSCCL",
                                   "check that the file is complete");
    }

    std::string name_;
    MatrixBuilder sends_, receives_;
    std::optional<std::uint32_t> gpu_, send_, receive_;
    bool in_block_ = false;
};

}  // namespace

TrafficMatrix read_msccl(io::LineReader& lines) {
    MscclReader reader(lines.name());
    io::read_xml(lines, largest_program, reader);
    return reader.take();
}

}  // namespace tailback::traffic
