package io.gpusched.operator.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/// Requests to the scheduler. Every call blocks for some seconds at most, and any number of
/// threads may call.
public final class SchedulerRequests implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final String JOBS = "/api/v1/jobs";
    private static final String TENANTS = "/api/v1/tenants";
    private static final int PAGE = 1_000;

    private final URI scheduler;
    private final Supplier<String> token;
    private final HttpClient http;

    /// @param token read for every request, so that a renewed token needs no restart; empty where
    ///        the scheduler asks for none
    /// @param tls null for the authorities that the JDK trusts
    public SchedulerRequests(URI scheduler, Supplier<String> token, @Nullable SSLContext tls) {
        this.scheduler = scheduler;
        this.token = token;
        this.http = client(tls);
    }

    /// A client for requests to the scheduler.
    ///
    /// @param tls null for the authorities that the JDK trusts
    public static HttpClient client(@Nullable SSLContext tls) {
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE);
        return (tls == null ? builder : builder.sslContext(tls)).build();
    }

    private record Answer(int status, JsonNode body) {
        boolean ok() {
            return status / 100 == 2;
        }

        /// Error and hint, as people read them.
        String problem() {
            String error = body.path("error").asText("the scheduler answered " + status);
            String hint = body.path("hint").asText("");
            return hint.isEmpty() ? error : error + "; " + hint;
        }
    }

    /// Submits a job.
    ///
    /// @param key the idempotency key
    public SubmissionResult submit(String key, ObjectNode body) {
        Answer answer = send("POST", JOBS, key, body.toString());
        if (answer.ok()) {
            return new SubmissionResult.Accepted(answer.body.path("job_id").asText());
        }
        return answer.body.path("code").asText().equals("key_reused")
                ? new SubmissionResult.KeyTaken()
                : new SubmissionResult.Refused(answer.problem());
    }

    /// Cancels a job. One that has ended, or is not known, is none to cancel.
    public void cancel(String job) {
        send("DELETE", JOBS + "/" + escaped(job), "", "");
    }

    /// Why the job is in its state, as `gpu-cli explain` tells it.
    public JobState explain(String job) {
        Answer answer = send("GET", JOBS + "/" + escaped(job) + "/explain", "", "");
        JsonNode body = answer.body;
        if (!answer.ok()) {
            return new JobState(job, "", answer.problem(), "");
        }
        String why = body.path("summary").asText("");
        return new JobState(
                job,
                body.path("state").asText(),
                why.isEmpty() ? body.path("reason").asText("") : why,
                "");
    }

    /// Passes every job that has not ended to the consumer.
    public void activeJobs(Consumer<JobState> each) {
        int read = PAGE;
        for (int offset = 0; read == PAGE; offset += PAGE) {
            String query = "?active=true&limit=%d&offset=%d".formatted(PAGE, offset);
            Answer answer = send("GET", JOBS + query, "", "");
            if (!answer.ok()) {
                throw new SchedulerUnavailable(answer.problem());
            }
            read = answer.body.path("jobs").size();
            for (JsonNode job : answer.body.path("jobs")) {
                each.accept(
                        new JobState(
                                job.path("job_id").asText(),
                                job.path("state").asText(),
                                job.path("reason").asText(""),
                                job.path("attachment").asText("")));
            }
        }
    }

    /// Makes the tenant unless it exists. It may submit with any priority, preempt and be
    /// preempted: in a cluster, priority classes are the matter of its administrator.
    ///
    /// @return why the tenant cannot be used; empty if it can
    public String ensureTenant(String id, String name) {
        if (send("GET", TENANTS + "/" + escaped(id), "", "").ok()) {
            return "";
        }
        ObjectNode body = JSON.createObjectNode().put("id", id).put("name", name);
        body.put("priority_tier", "critical");
        body.put("allow_preemption", true).put("can_preempt_others", true);
        Answer made = send("POST", TENANTS, "", body.toString());
        boolean exists = made.ok() || made.status == 409;
        return exists ? "" : made.problem();
    }

    /// Why the scheduler cannot be used; empty if it can.
    public String problem() {
        try {
            Answer answer = send("GET", JOBS + "?limit=0", "", "");
            return answer.ok() ? "" : answer.problem();
        } catch (SchedulerUnavailable e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Answer send(String method, String path, String key, String body) {
        List<String> headers = new ArrayList<>(List.of("Accept", "application/json"));
        if (!body.isEmpty()) {
            headers.addAll(List.of("Content-Type", "application/json"));
        }
        if (!key.isEmpty()) {
            headers.addAll(List.of("Idempotency-Key", key));
        }
        String secret = token.get();
        if (!secret.isEmpty()) {
            headers.addAll(List.of("Authorization", "Bearer " + secret));
        }
        HttpRequest request =
                HttpRequest.newBuilder(scheduler.resolve(path))
                        .timeout(PATIENCE)
                        .headers(headers.toArray(String[]::new))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        Answer answer = answer(request);
        if (answer.status == 429 || answer.status >= 500) {
            throw new SchedulerUnavailable(answer.problem());
        }
        boolean quota = answer.body.path("code").asText().equals("quota");
        if (answer.status == 401 || (answer.status == 403 && !quota)) {
            throw new SchedulerUnavailable(
                    answer.problem()
                            + "; give the operator an administrator's token with"
                            + " --scheduler-token-file");
        }
        return answer;
    }

    private Answer answer(HttpRequest request) {
        try {
            HttpResponse<byte[]> response =
                    http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), tree(response.body()));
        } catch (IOException e) {
            throw new SchedulerUnavailable("no answer from " + scheduler + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SchedulerUnavailable("interrupted");
        }
    }

    /// An answer that is no JSON comes from something else at that address.
    private JsonNode tree(byte[] body) {
        try {
            JsonNode tree = JSON.readTree(body);
            return tree == null ? JSON.createObjectNode() : tree;
        } catch (IOException e) {
            throw new SchedulerUnavailable(
                    scheduler + " does not answer as a scheduler does; check --scheduler");
        }
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
