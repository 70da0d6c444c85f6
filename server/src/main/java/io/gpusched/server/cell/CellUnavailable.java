package io.gpusched.server.cell;

/// The cell gave no answer.
public final class CellUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean taken;

    CellUnavailable(String message, boolean taken) {
        super(message, null, false, false);
        this.taken = taken;
    }

    /// Whether the input may count all the same; when false it certainly does not.
    public boolean mayCount() {
        return taken;
    }
}
