package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/// What a pod asks for, as it was read from its object.
sealed interface PodReading {
    /// The pod can be submitted.
    ///
    /// @param shape what one task needs, in the fields of a submission; pods of equal shapes can be
    ///        tasks of one job
    /// @param labels keys of node labels that the scheduler must know
    /// @param notes what is not honoured, for the user
    record Demand(ObjectNode shape, List<String> labels, List<String> notes) implements PodReading {
        public Demand {
            labels = List.copyOf(labels);
            notes = List.copyOf(notes);
        }
    }

    /// The pod must wait for another object before it can be placed.
    record Waits(String why) implements PodReading {}

    /// The pod can never be placed as it is.
    record Refused(String why) implements PodReading {}
}
