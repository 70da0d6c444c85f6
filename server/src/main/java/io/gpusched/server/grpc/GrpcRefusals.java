package io.gpusched.server.grpc;

import io.gpusched.core.event.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import java.util.List;
import java.util.stream.Collectors;

/// Converts the cell's refusals to gRPC statuses.
final class GrpcRefusals {
    private GrpcRefusals() {}

    static StatusRuntimeException of(List<Problem> problems) {
        Status status =
                switch (problems.getFirst().code()) {
                    case INVALID, UNKNOWN_POLICY -> Status.INVALID_ARGUMENT;
                    case UNKNOWN_TENANT,
                            UNKNOWN_JOB,
                            UNKNOWN_NODE,
                            UNKNOWN_POOL,
                            UNKNOWN_MODEL,
                            UNKNOWN_BINDING,
                            UNKNOWN_AGENT_CLASS,
                            UNKNOWN_REGION ->
                            Status.NOT_FOUND;
                    case EXISTS, KEY_REUSED -> Status.ALREADY_EXISTS;
                    case WRONG_STATE -> Status.FAILED_PRECONDITION;
                    case QUOTA -> Status.PERMISSION_DENIED;
                    case QUEUE_FULL -> Status.RESOURCE_EXHAUSTED;
                };
        return status.withDescription(
                        problems.stream()
                                .map(GrpcRefusals::words)
                                .collect(Collectors.joining("; ")))
                .asRuntimeException();
    }

    private static String words(Problem problem) {
        String field = problem.field().isEmpty() ? "" : problem.field() + ": ";
        String hint = problem.hint().isEmpty() ? "" : " (" + problem.hint() + ")";
        return field + problem.message() + hint;
    }
}
