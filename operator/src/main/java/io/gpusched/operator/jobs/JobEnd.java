package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.How;

/// How the pod of a task ended.
///
///     phase      reason             end
///     Succeeded                     exited with 0
///     Failed                        exited with the code of the container
///     Failed     DeadlineExceeded   over its time limit
///     Failed     Evicted, …         lost: the node ended it, and the job is not to blame
///
/// @param code negative where there is none
record JobEnd(How how, int code, String detail) {
    static JobEnd stopped(String detail) {
        return new JobEnd(How.STOPPED, -1, detail);
    }

    /// Whether the containers of the pod will never run again.
    static boolean isOver(JsonNode pod) {
        String phase = pod.at("/status/phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// From a pod that is over.
    static JobEnd of(JsonNode pod) {
        JsonNode status = pod.path("status");
        if (status.path("phase").asText().equals("Succeeded")) {
            return new JobEnd(How.EXITED, 0, "");
        }
        String reason = status.path("reason").asText("");
        String words = words(status);
        if (reason.equals("DeadlineExceeded")) {
            return new JobEnd(How.TIMEOUT, code(pod), words);
        }
        return reason.isEmpty()
                ? new JobEnd(How.EXITED, code(pod), container(pod))
                : new JobEnd(How.LOST, -1, words);
    }

    private static int code(JsonNode pod) {
        return failed(pod).path("state").path("terminated").path("exitCode").asInt(-1);
    }

    private static String container(JsonNode pod) {
        JsonNode failed = failed(pod);
        return failed.isMissingNode()
                ? "the pod failed"
                : "container "
                        + failed.path("name").asText()
                        + ": "
                        + words(failed.path("state").path("terminated"));
    }

    /// The container whose failure ended the pod; a missing node if none says so.
    private static JsonNode failed(JsonNode pod) {
        JsonNode all = pod.at("/status/containerStatuses");
        for (JsonNode each : all) {
            if (each.path("state").path("terminated").path("exitCode").asInt(0) != 0) {
                return each;
            }
        }
        return all.path(-1);
    }

    private static String words(JsonNode status) {
        String reason = status.path("reason").asText("");
        String message = status.path("message").asText("");
        return reason + (reason.isEmpty() || message.isEmpty() ? "" : ": ") + message;
    }

    TaskReport.Ended.Builder report() {
        var ended = TaskReport.Ended.newBuilder().setHow(how).setDetail(detail);
        return code < 0 ? ended : ended.setExitCode(code);
    }
}
