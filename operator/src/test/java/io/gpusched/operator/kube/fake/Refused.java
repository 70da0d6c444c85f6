package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// A request that is answered with a Status of failure.
final class Refused extends RuntimeException {
    private final int code;
    private final String reason;

    Refused(int code, String reason, String message) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
    }

    static Refused badRequest(String message) {
        return new Refused(400, "BadRequest", message);
    }

    static Refused forbidden(String message) {
        return new Refused(403, "Forbidden", message);
    }

    static Refused notFound(String plural, String name) {
        return new Refused(404, "NotFound", plural + " \"" + name + "\" not found");
    }

    static Refused noSuchPath() {
        return new Refused(404, "NotFound", "the server could not find the requested resource");
    }

    static Refused conflict(String what, String name, String why) {
        return new Refused(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + what + " \"" + name + "\": " + why);
    }

    static Refused gone(String message) {
        return new Refused(410, "Expired", message);
    }

    static Refused invalid(String kind, String name, String problems) {
        return new Refused(422, "Invalid", kind + " \"" + name + "\" is invalid: " + problems);
    }

    int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.putObject("metadata");
        return status.put("message", getMessage()).put("reason", reason).put("code", code);
    }
}
