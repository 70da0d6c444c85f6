package io.gpusched.server.cell;

/// Thrown when the cell gave no answer to an input.
public final class CellUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayCount;

    public CellUnavailable(String message, boolean mayCount) {
        super(message, null, false, false);
        this.mayCount = mayCount;
    }

    /// Whether the input may have been applied nevertheless; false means that it was not.
    public boolean mayCount() {
        return mayCount;
    }
}
