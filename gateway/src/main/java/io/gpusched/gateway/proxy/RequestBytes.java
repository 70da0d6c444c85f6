package io.gpusched.gateway.proxy;

/// What all clients together have sent of requests that arrive, wait or run. One count for all of
/// them bounds the memory, whoever sends and however slowly.
final class RequestBytes {
    private final long most;
    private long kept;

    RequestBytes(long most) {
        this.most = most;
    }

    /// One client keeps another number of bytes. Returns false when it keeps more than before and
    /// all clients together too many.
    boolean change(long before, long now) {
        kept += now - before;
        return now <= before || kept <= most;
    }
}
