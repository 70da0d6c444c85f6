package io.gpusched.lab.compare;

/// One run: who, on what, and the seed.
///
/// @param air what a kilowatt-hour stands for
public record Question(Course course, Contestant contestant, long seed, Air air) {
    /// Raised when the same run gives other figures than before.
    private static final String VERSION = "2";

    /// Changes with everything the answer depends on, the program too.
    String print() {
        return Prints.of(
                VERSION + Program.print(),
                course.print(),
                contestant.name(),
                Long.toString(seed),
                air.print());
    }

    /// The file its answer is kept in.
    String file() {
        return "%s--%s--seed-%d.json".formatted(course.fileName(), contestant.name(), seed);
    }

    /// How many jobs come.
    public long jobs() {
        return course.under(seed).jobs().size();
    }

    @Override
    public String toString() {
        return course.name() + ", " + contestant.name() + ", seed " + seed;
    }
}
