package io.gpusched.operator.pools;

import java.util.List;

/// What became of putting an object to the scheduler.
sealed interface PutResult {
    /// It was not tried yet.
    record Untried() implements PutResult {}

    record Accepted(List<String> warnings) implements PutResult {}

    /// Its author has to change it.
    record Refused(Complaint complaint) implements PutResult {}

    /// It may be accepted as it is, later.
    record Postponed(String why) implements PutResult {}
}
