// libarchive's functions, of a library that is loaded when an archive is read: with what it needs itself it would take
// a third of the time in which every program starts.
#pragma once

#include "host/base/error.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>

#include <string>
#include <utility>

namespace tailback::traffic {

/// Members are functions of the same names. Throws base::InputError for the file `name` where the library cannot be
/// loaded.
class LibArchive {
    class Symbol {
    public:
        explicit Symbol(void* at) : at_(at) {}
        template <class Function>
        operator Function*() const {
            return reinterpret_cast<Function*>(at_);
        }

    private:
        void* at_;
    };

    void* library_;
    std::string name_;

    Symbol find(char const* function) const {
        if (void* const at = library_ != nullptr ? ::dlsym(library_, function) : nullptr) return Symbol(at);
        char const* const said = ::dlerror();
        throw base::InputError({name_, 0}, "the file is a packed archive, and libarchive is not there",
                               said != nullptr ? said : "it cannot be loaded",
                               "install it (Debian: libarchive13), or give the traffic in another form");
    }

public:
    explicit LibArchive(std::string name)
        : library_(::dlopen(TAILBACK_LIBARCHIVE, RTLD_NOW | RTLD_LOCAL)), name_(std::move(name)) {}

#define TAILBACK_FUNCTION(name) decltype(&::archive_##name) const name = find("archive_" #name)
    TAILBACK_FUNCTION(read_new);
    TAILBACK_FUNCTION(read_free);
    TAILBACK_FUNCTION(read_open);
    TAILBACK_FUNCTION(read_data);
    TAILBACK_FUNCTION(read_next_header);
    TAILBACK_FUNCTION(read_support_filter_gzip);
    TAILBACK_FUNCTION(read_support_filter_bzip2);
    TAILBACK_FUNCTION(read_support_filter_zstd);
    TAILBACK_FUNCTION(read_support_format_tar);
    TAILBACK_FUNCTION(entry_filetype);
    TAILBACK_FUNCTION(entry_pathname);
    TAILBACK_FUNCTION(error_string);
#undef TAILBACK_FUNCTION
};

}  // namespace tailback::traffic
