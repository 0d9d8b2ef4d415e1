// A fixed table of paths that a signal handler may read at any moment.
#include "host/io/temporary_files.hpp"

#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

#include <unistd.h>

namespace tailback::io {
namespace {

constexpr std::size_t slots = 16;
constexpr std::size_t longest_path = 4096;

struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<bool> ready{false};  // the path is complete: the handler may use it
    char path[longest_path];
};
Slot table[slots];

extern "C" void remove_and_end(int signal_number) {
    remove_temporary_files();
    std::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
}

}  // namespace

void remove_temporary_files() {
    for (Slot& slot : table)
        if (slot.ready.load(std::memory_order_acquire)) ::unlink(slot.path);
}

void remove_on_signals() {
    static std::once_flag once;
    std::call_once(once, [] {
        for (int const signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
            struct sigaction now {};
            if (::sigaction(signal_number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
            now = {};
            now.sa_handler = remove_and_end;
            ::sigaction(signal_number, &now, nullptr);
        }
    });
}

TemporaryFile::TemporaryFile(std::string path) : path_(std::move(path)) {
    if (path_.size() >= longest_path) return;
    remove_on_signals();
    for (std::size_t s = 0; s < slots; ++s) {
        if (table[s].taken.exchange(true)) continue;
        std::memcpy(table[s].path, path_.c_str(), path_.size() + 1);
        table[s].ready.store(true, std::memory_order_release);
        slot_ = static_cast<int>(s);
        return;
    }
}

TemporaryFile::~TemporaryFile() {
    if (path_.empty()) return;
    ::unlink(path_.c_str());
    release();
}

void TemporaryFile::release() {
    path_.clear();
    if (slot_ < 0) return;
    table[slot_].ready.store(false);
    table[slot_].taken.store(false);
    slot_ = -1;
}

}  // namespace tailback::io
