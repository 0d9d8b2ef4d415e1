// XML, element by element, with the line of each. Entities that a file declares itself are refused.
#pragma once

#include "host/io/line_reader.hpp"

#include <optional>
#include <string_view>

namespace tailback::io {

/// Where the parser is.
class XmlPlace {
public:
    virtual base::SourceLocation place() const = 0;

protected:
    ~XmlPlace() = default;
};

/// The attributes of an element; valid until the handler returns.
class XmlAttributes {
public:
    explicit XmlAttributes(char const* const* pairs) : pairs_(pairs) {}
    std::optional<std::string_view> find(std::string_view name) const {
        for (char const* const* at = pairs_; *at != nullptr; at += 2)
            if (name == at[0]) return at[1];
        return std::nullopt;
    }
    /// take(name, value)
    template <class Take>
    void for_each(Take const& take) const {
        for (char const* const* at = pairs_; *at != nullptr; at += 2)
            take(std::string_view(at[0]), std::string_view(at[1]));
    }

private:
    char const* const* pairs_;
};

/// Told of everything in the order of the file; may throw.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void begin(std::string_view element, XmlAttributes const& attributes) = 0;
    virtual void end(std::string_view element) = 0;
    /// A piece of the text inside an element; a text may come in several pieces.
    virtual void text(std::string_view) {}

    base::SourceLocation place() const { return place_->place(); }

private:
    friend void read_xml(LineReader& lines, std::size_t largest, XmlHandler& handler);
    XmlPlace const* place_ = nullptr;
};

/// Reads what is left of a file, at most `largest` bytes.
/// @throws InputError for damaged XML, with its line; for a build without expat; and what the handler throws.
void read_xml(LineReader& lines, std::size_t largest, XmlHandler& handler);

}  // namespace tailback::io
