// The tree is built from yaml-cpp's events, so that nothing is expanded, nesting is bounded while reading, and keys
// given twice are seen; yaml-cpp's own nodes would hide the last.
#include "host/io/yaml_tree.hpp"

#include "host/base/error.hpp"

#include <filesystem>

namespace tailback::io {

std::string file_beside(std::string const& yaml, std::string const& word) {
    std::filesystem::path const beside = std::filesystem::path(yaml).parent_path() / word;
    std::error_code ignored;
    return yaml != "-" && !word.empty() && std::filesystem::exists(beside, ignored) ? beside.string() : word;
}

YamlNode const& only_list(YamlNode const& tree, std::string const& key, std::string const& name,
                          std::string const& what, std::string const& what_to_do) {
    bool const is_map = tree.kind == YamlNode::Kind::map;
    if (is_map && tree.keys.size() > 1)
        for (std::size_t k = 0; k < tree.keys.size(); ++k)
            if (tree.keys[k] != key)
                throw base::InputError({name, tree.items[k].line},
                                       "\"" + tree.keys[k].substr(0, 40) + "\" stands beside the " + key, "",
                                       "leave it out");
    if (!is_map || tree.keys.size() != 1 || tree.keys.front() != key || tree.items.front().kind != YamlNode::Kind::list)
        throw base::InputError({name, tree.line}, "the file is not a " + what, "", what_to_do);
    return tree.items.front();
}

}  // namespace tailback::io

#ifdef TAILBACK_HAS_YAML

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

namespace tailback::io {
namespace {

constexpr std::size_t deepest = 4;

class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(std::string name) : name_(std::move(name)) {}
    YamlNode take() { return std::move(root_); }

    void OnDocumentStart(YAML::Mark const& mark) override {
        if (documents_++ > 0)
            refuse(mark, "a second YAML document begins", "a file is one document", "put it into a file of its own");
    }
    void OnDocumentEnd() override {}
    void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
        check(mark, "", anchor);
        if (open_.empty())
            refuse(mark, "the file holds nothing", "", "write keys and values: the command's --help has an example");
        if (expects_key()) refuse(mark, "a key is missing", "keys are the names of options", "write one");
        bool const of_key =
            open_.back().kind == YamlNode::Kind::map;  // the mark of an empty value is where the next thing begins
        attach({.kind = YamlNode::Kind::none, .line = of_key ? key_line_ : line_of(mark)});
    }
    void OnAlias(YAML::Mark const& mark, YAML::anchor_t) override { refuse_anchor(mark); }
    void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  std::string const& value) override {
        check(mark, tag, anchor);
        if (value.find('\0') != std::string::npos)
            refuse(mark, "a NUL character", "no option's value has one", "leave it out");
        if (expects_key()) return take_key(mark, value);
        attach({.kind = YamlNode::Kind::scalar, .line = line_of(mark), .text = value});
    }
    void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(mark, tag, anchor, YamlNode::Kind::list);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(mark, tag, anchor, YamlNode::Kind::map);
    }
    void OnMapEnd() override { end(); }

private:
    static std::size_t line_of(YAML::Mark const& mark) { return static_cast<std::size_t>(mark.line) + 1; }
    [[noreturn]] void refuse(YAML::Mark const& mark, std::string const& problem, std::string const& why,
                             std::string const& what_to_do) const {
        throw base::InputError({name_, line_of(mark)}, problem, why, what_to_do);
    }
    [[noreturn]] void refuse_anchor(YAML::Mark const& mark) const {
        refuse(mark, "anchors and aliases are not understood here", "every value stands for itself",
               "write the value out");
    }
    void check(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor) const {
        if (anchor != 0) refuse_anchor(mark);
        if (tag.size() > 1) refuse(mark, "tags are not understood here", tag, "leave the tag out");
    }
    bool expects_key() const {
        return !open_.empty() && open_.back().kind == YamlNode::Kind::map &&
               open_.back().keys.size() == open_.back().items.size();
    }
    void take_key(YAML::Mark const& mark, std::string const& key) {
        YamlNode& map = open_.back();
        auto const same = std::find(map.keys.begin(), map.keys.end(), key);
        if (same != map.keys.end())
            refuse(mark, "\"" + key + "\" is given twice",
                   "first in line " + std::to_string(map.items[std::size_t(same - map.keys.begin())].line),
                   "give only one of them");
        map.keys.push_back(key);
        key_line_ = line_of(mark);
    }
    void begin(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
        check(mark, tag, anchor);
        if (expects_key()) refuse(mark, "a key is a list or a map", "keys are the names of options", "write a name");
        if (open_.size() >= deepest)
            refuse(mark, "lists and maps are nested too deeply", "more than four levels",
                   "the command's --help has an example");
        bool const of_key = !open_.empty() && open_.back().kind == YamlNode::Kind::map;
        open_.push_back({.kind = kind, .line = of_key ? key_line_ : line_of(mark)});
    }
    void end() {
        YamlNode node = std::move(open_.back());
        open_.pop_back();
        attach(std::move(node));
    }
    void attach(YamlNode node) {
        if (open_.empty()) root_ = std::move(node);
        else open_.back().items.push_back(std::move(node));
    }

    std::string name_;
    std::vector<YamlNode> open_;
    YamlNode root_;
    std::size_t key_line_ = 0;
    unsigned documents_ = 0;
};

}  // namespace

bool yaml_is_built_in() { return true; }

YamlNode read_yaml(std::string const& text, std::string const& name) {
    std::istringstream in(text);
    TreeBuilder builder(name);
    try {
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(builder))
            throw base::InputError({name, 0}, "the file holds nothing", "",
                                   "write keys and values: the command's --help has an example");
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (YAML::Exception const& error) {
        std::size_t const line = error.mark.is_null() ? 0 : static_cast<std::size_t>(error.mark.line) + 1;
        throw base::InputError({name, line}, "this is not YAML", error.msg,
                               "correct the file; the command's --help has an example");
    }
    return builder.take();
}

}  // namespace tailback::io

#else

namespace tailback::io {

bool yaml_is_built_in() { return false; }

YamlNode read_yaml(std::string const&, std::string const& name) {
    throw base::InputError({name, 0}, "YAML cannot be read", "this program was built without yaml-cpp",
                           "install it (Debian: libyaml-cpp-dev) and build again");
}

}  // namespace tailback::io

#endif
