package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Credentials that a program prints, as cloud providers do it: run when they are needed first,
/// when they are about to expire, and when the server refuses them.
final class ExecCredentials implements Credentials {
    /// How to run the program.
    ///
    /// @param field where the kubeconfig file has it, for messages
    /// @param hint how to install the program, in the words of its maker; may be empty
    /// @param request what the program is told: an object `ExecCredential`
    record Command(
            String field,
            List<String> words,
            Map<String, String> environment,
            String hint,
            ObjectNode request) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration AHEAD = Duration.ofSeconds(30);
    private static final Duration BETWEEN_REFRESHES = Duration.ofSeconds(5);
    private static final int MOST_SHOWN = 300;

    private final Command command;
    private final InstantSource clock;
    private Instant expires = Instant.MIN;
    private Instant ran = Instant.MIN;
    private String token = "";
    private ClientCertificate certificate = ClientCertificate.NONE;

    ExecCredentials(Command command, InstantSource clock) {
        this.command = command;
        this.clock = clock;
    }

    @Override
    public synchronized String authorization() {
        renewIfExpired();
        return token.isEmpty() ? "" : "Bearer " + token;
    }

    @Override
    public synchronized ClientCertificate certificate() {
        renewIfExpired();
        return certificate;
    }

    @Override
    public synchronized boolean refresh() {
        if (Duration.between(ran, clock.instant()).compareTo(BETWEEN_REFRESHES) < 0) {
            return false;
        }
        run();
        return true;
    }

    @Override
    public String origin() {
        return "the program of " + command.field();
    }

    private void renewIfExpired() {
        if (!clock.instant().isBefore(expires)) {
            run();
        }
    }

    private void run() {
        String printed = output();
        try {
            JsonNode status = JSON.readTree(printed).path("status");
            token = status.path("token").asText("");
            String chain = status.path("clientCertificateData").asText("");
            certificate =
                    chain.isEmpty()
                            ? ClientCertificate.NONE
                            : ClientCertificate.of(chain, status.path("clientKeyData").asText(""));
            if (token.isEmpty() && !certificate.isPresent()) {
                throw wrong("printed neither status.token nor status.clientCertificateData");
            }
            String expiry = status.path("expirationTimestamp").asText("");
            expires = expiry.isEmpty() ? Instant.MAX : Instant.parse(expiry).minus(AHEAD);
            ran = clock.instant();
        } catch (JacksonException e) {
            throw wrong("printed no JSON object of kind ExecCredential");
        } catch (GeneralSecurityException e) {
            throw wrong("printed a client certificate that cannot be read: " + e.getMessage());
        } catch (DateTimeParseException e) {
            throw wrong("printed a status.expirationTimestamp that is no time");
        }
    }

    /// Standard error goes through a file, so that a program that prints much cannot block.
    private String output() {
        try {
            Path errors = Files.createTempFile("exec-credential", ".log");
            try {
                var builder = new ProcessBuilder(new ArrayList<>(command.words()));
                builder.environment().putAll(command.environment());
                builder.environment().put("KUBERNETES_EXEC_INFO", command.request().toString());
                builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
                builder.redirectError(errors.toFile());
                return outputOf(builder.start(), errors);
            } finally {
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            String install = command.hint().isEmpty() ? "install it" : command.hint().strip();
            throw wrong("cannot be started (" + e.getMessage() + "); " + install);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw wrong("was interrupted");
        }
    }

    private String outputOf(Process process, Path errors) throws IOException, InterruptedException {
        Thread guard =
                Thread.ofVirtual().name("exec-credential-timeout").start(() -> endLate(process));
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        guard.interrupt();
        if (code != 0) {
            String said = Files.readString(errors).strip();
            String shown = said.substring(0, Math.min(said.length(), MOST_SHOWN));
            throw wrong("ended with code " + code + (shown.isEmpty() ? "" : ": " + shown));
        }
        return printed;
    }

    private static void endLate(Process process) {
        try {
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // It has ended in time.
        }
    }

    private InvalidKubeConfig wrong(String what) {
        return new InvalidKubeConfig(
                "%s: the program '%s' %s"
                        .formatted(command.field(), command.words().getFirst(), what));
    }
}
