package io.gpusched.sim.scenario;

/// A scenario file that cannot be used. The message says where, what was expected and what was
/// found.
public final class BadScenario extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;
    private final String what;

    BadScenario(String where, String what) {
        super(where.isEmpty() ? what : where + ": " + what);
        this.where = where;
        this.what = what;
    }

    /// The place in the file; empty when it is all of it.
    public String where() {
        return where;
    }

    /// The message without the place.
    public String what() {
        return what;
    }
}
