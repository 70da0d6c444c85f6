package io.gpusched.lab.fgd;

/// The data of the experiment is missing or is not what it should be; the message says which file,
/// and where in it.
public final class BadTrace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadTrace(String message) {
        super(message);
    }
}
