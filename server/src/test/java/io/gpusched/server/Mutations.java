package io.gpusched.server;

import java.util.List;
import java.util.Random;

/// Random bodies that are nearly submissions.
final class Mutations {
    private static final List<String> KEYS =
            List.of(
                    "name",
                    "tenant_id",
                    "priority",
                    "gpu_count",
                    "gpu_memory_mb",
                    "cpu_cores",
                    "memory_mb",
                    "script",
                    "environment",
                    "image",
                    "command",
                    "args",
                    "gang_scheduling",
                    "tasks",
                    "near",
                    "within",
                    "max_runtime_minutes",
                    "grace_seconds",
                    "gpu_model",
                    "node_selector",
                    "tolerations",
                    "labels",
                    "held",
                    "x");
    private static final List<String> VALUES =
            List.of(
                    "0",
                    "1",
                    "2",
                    "-1",
                    "1.5",
                    "1e5",
                    "1e999",
                    "9223372036854775807",
                    "true",
                    "null",
                    "\"\"",
                    "\"a\"",
                    "\"default\"",
                    "\"small\"",
                    "\"\\u0000\"",
                    "\"ü😀\"",
                    "[]",
                    "{}",
                    "[\"a\"]",
                    "[1]",
                    "[[]]",
                    "{\"a\":\"b\"}",
                    "{\"a\":1}",
                    "{\"\":\"\"}",
                    "[{\"key\":\"k\"}]",
                    "\"A100-80GB\"",
                    "NaN",
                    "'a'",
                    "\"\\ud800\"");

    private Mutations() {}

    static String of(Random random) {
        var body = new StringBuilder("{");
        int fields = random.nextInt(6);
        for (int i = 0; i < fields; i++) {
            body.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(KEYS.get(random.nextInt(KEYS.size())))
                    .append("\":")
                    .append(VALUES.get(random.nextInt(VALUES.size())));
        }
        body.append('}');
        if (random.nextInt(8) == 0) {
            body.setLength(random.nextInt(body.length() + 1));
        }
        if (random.nextInt(8) == 0) {
            body.insert(random.nextInt(body.length() + 1), (char) random.nextInt(128));
        }
        return body.toString();
    }
}
