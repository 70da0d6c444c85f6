package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SqsLagTest {
    private static final String COUNTS =
            "{\"Attributes\":{\"ApproximateNumberOfMessages\":\"%s\","
                    + "\"ApproximateNumberOfMessagesNotVisible\":\"%s\"}}";

    private final ScriptedHttp server = ScriptedHttp.of(200, COUNTS.formatted(40, 2));

    @AfterEach
    void stop() {
        server.close();
    }

    private Binding queue(String name) {
        String url = "http://AKID:canary%2Fsecret@127.0.0.1:" + server.port() + "?region=eu-west-1";
        return binding("sqs", url, name, "");
    }

    @Test
    void theDepthIsVisibleMessagesAndThoseInFlight() throws Exception {
        assertThat(depth(queue("123456789012/orders"))).isEqualTo(42);
        ScriptedHttp.Request request = server.take();
        assertThat(request.method() + " " + request.path()).isEqualTo("POST /");
        assertThat(request.headers().get("X-Amz-Target")).isEqualTo("AmazonSQS.GetQueueAttributes");
        assertThat(request.headers().get("Content-Type")).isEqualTo("application/x-amz-json-1.0");
        assertThat(request.headers().get("Authorization"))
                .matches(
                        "AWS4-HMAC-SHA256 Credential=AKID/[0-9]{8}/eu-west-1/sqs/aws4_request,"
                                + " SignedHeaders=content-type;host;x-amz-date;x-amz-target,"
                                + " Signature=[0-9a-f]{64}");
        assertThat(request.headers().get("Host")).isEqualTo("127.0.0.1:" + server.port());
        assertThat(request.body())
                .contains("\"QueueUrl\":\"http://127.0.0.1:" + server.port())
                .contains("/123456789012/orders\"");
    }

    @Test
    void aQueueMayBeNamedByItsUrl() throws Exception {
        depth(queue("https://sqs.eu-west-1.amazonaws.com/123456789012/orders"));
        assertThat(server.take().body())
                .contains("\"https://sqs.eu-west-1.amazonaws.com/123456789012/orders\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | com.amazonaws.sqs#QueueDoesNotExist | no such queue",
                "400 | AWS.SimpleQueueService.NonExistentQueue | no such queue",
                "403 | InvalidSignatureException | refused the credentials",
                "400 | UnrecognizedClientException | refused the credentials",
                "400 | ExpiredTokenException | refused the credentials",
                "403 | Other | refused the credentials",
                "429 | Throttling | limits the rate",
                "500 | InternalError | answered HTTP 500",
            })
    void errorsAreNamed(int status, String type, String said) {
        server.answer(status, "{\"__type\":\"" + type + "\",\"message\":\"canary/secret\"}");
        assertProblem(queue("1/orders"), said);
    }

    @ParameterizedTest
    @CsvSource({"-1,0", "x,0", "1e9,0", "99999999999999,0", "999999999999,999999999999", "'',''"})
    void numbersThatNoQueueHasAreProblems(String visible, String inFlight) {
        server.answer(200, COUNTS.formatted(visible, inFlight));
        assertProblem(queue("1/orders"), "number of messages");
    }

    @Test
    void theRegionIsReadFromTheHostOrFromAParameter() {
        assertProblem(binding("sqs", "https://a:canary@localhost", "1/q", ""), "?region=");
        assertProblem(binding("sqs", "https://a:canary@sqs.x?region=A_B", "1/q", ""), "?region=");
        assertProblem(binding("sqs", "https://sqs.eu-west-1.amazonaws.com", "1/q", ""), "KEY");
        assertProblem(binding("sqs", "https://a:%0Acanary@h?region=r", "1/q", ""), "printable");
    }
}
