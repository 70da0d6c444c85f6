package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A shell in the project's directory into which a test types the commands of a page. It replaces
/// the addresses of the page by free ones.
record Shell(Map<String, String> replaced, Map<String, String> environment) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The output of the command, which must succeed.
    String type(String command) {
        String typed = command;
        for (Map.Entry<String, String> one : replaced.entrySet()) {
            typed = typed.replace(one.getKey(), one.getValue());
        }
        var builder =
                new ProcessBuilder("/bin/bash", "-c", typed)
                        .directory(Started.ROOT.toFile())
                        .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GPU_"));
        builder.environment().put("GPU_SCHEDULER_BUILD", "never");
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(typed + "\n" + output).isZero();
            return output.strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    JsonNode json(String command) {
        String output = type(command);
        try {
            return JSON.readTree(output);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + output, e);
        }
    }
}
