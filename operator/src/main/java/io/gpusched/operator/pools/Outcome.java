package io.gpusched.operator.pools;

import java.util.List;

/// What became of putting an object to the scheduler.
sealed interface Outcome {
    /// It was not tried yet.
    record Untried() implements Outcome {}

    record Accepted(List<String> warnings) implements Outcome {}

    /// Its author has to change it.
    record Refused(Complaint complaint) implements Outcome {}

    /// It may be accepted as it is, later.
    record Postponed(String why) implements Outcome {}
}
