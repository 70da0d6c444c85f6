package io.gpusched.gateway.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Amazon SQS over its JSON protocol: the messages that are visible and those in flight.
///
/// The connection is `https://KEY:SECRET@sqs.REGION.amazonaws.com`, with `?region=` where the host
/// does not name it and `?token=` for temporary credentials. `queue` is the queue's URL, or its
/// account and name as in `123456789012/orders`.
final class SqsLag implements QueueLag {
    private static final Pattern HOST =
            Pattern.compile("(?:.*\\.)?sqs(?:-fips)?\\.([a-z0-9-]+)\\.(?:amazonaws|api\\.aws).*");
    private static final String VISIBLE = "ApproximateNumberOfMessages";
    private static final String IN_FLIGHT = "ApproximateNumberOfMessagesNotVisible";

    private final JsonOverHttp http = new JsonOverHttp();
    private final URI endpoint;
    private final String host;
    private final AwsSignature signature;
    private final String body;

    private SqsLag(URI endpoint, String host, AwsSignature signature, String body) {
        this.endpoint = endpoint;
        this.host = host;
        this.signature = signature;
        this.body = body;
    }

    static QueueLag open(Binding binding, ConnectionAddress address) throws LagProblem {
        address.isSecure("http", "https");
        if (address.user().isEmpty() || address.password().isEmpty()) {
            throw ConnectionAddress.malformed("https://KEY:SECRET@host");
        }
        String token = address.parameters().getOrDefault("token", "");
        for (String each : new String[] {address.user(), address.password(), token}) {
            if (!each.chars().allMatch(c -> c > ' ' && c <= '~')) {
                throw ConnectionAddress.malformed("keys of printable characters");
            }
        }
        String host = address.host().text();
        URI endpoint;
        try {
            endpoint = URI.create(address.scheme() + "://" + host + "/");
        } catch (IllegalArgumentException e) {
            throw ConnectionAddress.malformed("a host name");
        }
        var signature =
                new AwsSignature(address.user(), address.password(), token, region(address), "sqs");
        return new SqsLag(endpoint, host, signature, body(endpoint, binding.queue()));
    }

    private static String region(ConnectionAddress address) throws LagProblem {
        Matcher host = HOST.matcher(address.host().name());
        String region = address.parameters().get("region");
        if (region != null && region.matches("[a-z0-9-]{1,40}")) {
            return region;
        }
        if (region == null && host.matches()) {
            return String.valueOf(host.group(1));
        }
        throw ConnectionAddress.malformed("a region such as ?region=eu-west-1");
    }

    private static String body(URI endpoint, String queue) {
        var body = JsonNodeFactory.instance.objectNode();
        body.putArray("AttributeNames").add(VISIBLE).add(IN_FLIGHT);
        body.put("QueueUrl", queue.contains("://") ? queue : endpoint + queue);
        return body.toString();
    }

    @Override
    public long depth() throws LagProblem, InterruptedException {
        JsonOverHttp.Answer answer = http.send(request());
        if (!answer.isGood()) {
            throw problem(answer);
        }
        JsonNode attributes = answer.body().path("Attributes");
        return QueueLag.plausible(number(attributes, VISIBLE) + number(attributes, IN_FLIGHT));
    }

    private HttpRequest request() {
        var headers =
                new TreeMap<>(
                        Map.of(
                                "content-type", "application/x-amz-json-1.0",
                                "x-amz-target", "AmazonSQS.GetQueueAttributes"));
        HttpRequest.Builder request = JsonOverHttp.request(endpoint);
        signature.headers("POST", host, "/", headers, body, Instant.now()).forEach(request::header);
        return request.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    private static long number(JsonNode attributes, String name) throws LagProblem {
        String text = attributes.path(name).asText();
        if (!text.matches("[0-9]{1,12}")) {
            throw LagProblem.garbage();
        }
        return Long.parseLong(text);
    }

    private static LagProblem problem(JsonOverHttp.Answer answer) {
        String type = answer.body().path("__type").asText();
        if (type.contains("QueueDoesNotExist") || type.contains("NonExistentQueue")) {
            return LagProblem.missing("queue");
        }
        boolean unsigned =
                type.contains("Signature")
                        || type.contains("AccessDenied")
                        || type.contains("InvalidClientTokenId")
                        || type.contains("UnrecognizedClient")
                        || type.contains("ExpiredToken");
        return unsigned ? LagProblem.credentials() : JsonOverHttp.refused(answer.status());
    }

    @Override
    public void close() {
        http.close();
    }
}
