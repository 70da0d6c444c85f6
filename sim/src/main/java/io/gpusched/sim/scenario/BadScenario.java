package io.gpusched.sim.scenario;

import io.gpusched.sim.trace.Excerpt;

/// A scenario file that cannot be used. The message says where, what was expected and what was
/// found.
public final class BadScenario extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_CHARACTERS = 1_000;

    private final String where;
    private final String what;

    BadScenario(String where, String what) {
        this(where.isEmpty() ? "" : shortened(where), shortened(what), ": ");
    }

    private BadScenario(String where, String what, String between) {
        super(where.isEmpty() ? what : where + between + what);
        this.where = where;
        this.what = what;
    }

    /// A message that quotes the file may be as long as the file.
    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : Excerpt.of(text, MOST_CHARACTERS);
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
