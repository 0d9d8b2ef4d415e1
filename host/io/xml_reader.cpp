#include "host/io/xml_reader.hpp"

#ifdef TAILBACK_HAS_EXPAT
#include <expat.h>
#endif

#include <exception>
#include <memory>
#include <new>

namespace tailback::io {

#ifndef TAILBACK_HAS_EXPAT

void read_xml(LineReader& lines, std::size_t, XmlHandler&) {
    throw base::InputError({lines.name(), 0}, "the file is XML", "this program was built without expat",
                           "build it with expat, or give the file in another form");
}

#else

namespace {

/// What expat calls; nothing may be thrown through it.
class Parser : public XmlPlace {
public:
    Parser(std::string const& name, XmlHandler& handler)
        : name_(name), handler_(handler), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
        if (parser_ == nullptr) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), begin, end);
        XML_SetCharacterDataHandler(parser_.get(), text);
        XML_SetEntityDeclHandler(parser_.get(), entity);
    }
    void parse(std::string const& bytes) {
        bool const parsed = XML_Parse(parser_.get(), bytes.data(), int(bytes.size()), 1) == XML_STATUS_OK;
        if (failure_) std::rethrow_exception(failure_);
        if (!parsed)
            throw base::InputError(place(), "the XML is damaged", XML_ErrorString(XML_GetErrorCode(parser_.get())),
                                   "check that the file is complete");
    }
    base::SourceLocation place() const override {
        return {name_, std::size_t(XML_GetCurrentLineNumber(parser_.get()))};
    }

private:
    template <class Act>
    static void guarded(void* self, Act&& act) {
        auto& here = *static_cast<Parser*>(self);
        if (here.failure_) return;
        try {
            act(here);
        } catch (...) {
            here.failure_ = std::current_exception();
            XML_StopParser(here.parser_.get(), XML_FALSE);
        }
    }
    static void XMLCALL begin(void* self, XML_Char const* element, XML_Char const** attributes) {
        guarded(self, [&](Parser& here) { here.handler_.begin(element, XmlAttributes(attributes)); });
    }
    static void XMLCALL end(void* self, XML_Char const* element) {
        guarded(self, [&](Parser& here) { here.handler_.end(element); });
    }
    static void XMLCALL text(void* self, XML_Char const* piece, int size) {
        guarded(self, [&](Parser& here) { here.handler_.text({piece, std::size_t(size)}); });
    }
    static void XMLCALL entity(void* self, XML_Char const* name, int, XML_Char const*, int, XML_Char const*,
                               XML_Char const*, XML_Char const*, XML_Char const*) {
        guarded(self, [&](Parser& here) {
            throw base::InputError(here.place(), "the file declares the entity \"" + std::string(name) + "\"",
                                   "entities can make a small file huge", "write out what it stands for");
        });
    }

    std::string const& name_;
    XmlHandler& handler_;
    std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
    std::exception_ptr failure_;
};

}  // namespace

void read_xml(LineReader& lines, std::size_t largest, XmlHandler& handler) {
    std::string const name = lines.name(), bytes = lines.rest(largest);
    Parser parser(name, handler);
    handler.place_ = &parser;
    parser.parse(bytes);
}

#endif

}  // namespace tailback::io
