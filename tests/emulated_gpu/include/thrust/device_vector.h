// Vectors in the emulated device's memory. Filling is work of the default stream, so no other stream's work comes after
// it by itself.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <new>
#include <utility>

namespace thrust {

struct device_bad_alloc : std::bad_alloc {};

template <class T>
struct device_ptr {
    T* at;
    device_ptr operator+(std::ptrdiff_t n) const { return {at + n}; }
    std::ptrdiff_t operator-(device_ptr other) const { return at - other.at; }
};

template <class T>
T* raw_pointer_cast(device_ptr<T> p) {
    return p.at;
}

template <class T>
class device_vector {
public:
    device_vector() = default;
    explicit device_vector(std::size_t count) { resize(count); }
    template <class Iterator>
    requires requires(Iterator i) { *i; }
    device_vector(Iterator first, Iterator last) {
        make(static_cast<std::size_t>(last - first));
        if (size_ != 0) emulated_gpu::copy(at_, &*first, size_ * sizeof(T));
    }
    device_vector(device_vector&& other) noexcept { swap(other); }
    device_vector& operator=(device_vector&& other) noexcept {
        swap(other);
        return *this;
    }
    ~device_vector() { cudaFree(at_); }

    void resize(std::size_t count) {
        device_vector grown;
        grown.make(count);
        std::size_t const kept = std::min(count, size_);
        T *const to = grown.at_, *const from = at_;
        emulated_gpu::enqueue(nullptr, [=] {
            std::copy_n(from, kept, to);
            std::fill(to + kept, to + count, T());
        });
        swap(grown);
    }
    void assign(std::size_t count, T const& value) {
        device_vector filled;
        filled.make(count);
        emulated_gpu::enqueue(nullptr, [=, to = filled.at_] { std::fill_n(to, count, value); });
        swap(filled);
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    device_ptr<T> data() { return {at_}; }
    device_ptr<T const> data() const { return {at_}; }
    device_ptr<T const> begin() const { return data(); }
    device_ptr<T const> end() const { return data() + static_cast<std::ptrdiff_t>(size_); }

private:
    void make(std::size_t count) {
        void* memory = nullptr;
        if (count != 0 && cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess) throw device_bad_alloc();
        at_ = static_cast<T*>(memory);
        size_ = count;
    }
    void swap(device_vector& other) {
        std::swap(at_, other.at_);
        std::swap(size_, other.size_);
    }
    T* at_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace thrust
