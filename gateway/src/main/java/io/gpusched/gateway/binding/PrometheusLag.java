package io.gpusched.gateway.binding;

import com.fasterxml.jackson.databind.JsonNode;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Prometheus: the value of an instant query, rounded up. The query must give one value: a query
/// without a result could mean an empty queue as well as a missing exporter.
final class PrometheusLag implements QueueLag {
    private static final String BEARER = "bearer";

    private final JsonOverHttp http = new JsonOverHttp();
    private final HttpRequest request;

    private PrometheusLag(HttpRequest request) {
        this.request = request;
    }

    static QueueLag open(Binding binding, ConnectionAddress address) throws LagProblem {
        address.isSecure("http", "https");
        String path = address.path().isEmpty() ? "" : "/" + address.path().replaceFirst("/$", "");
        if (!path.matches("[A-Za-z0-9._~/-]*")) {
            throw ConnectionAddress.malformed("a path of letters, digits, . _ ~ - and /");
        }
        String query = URLEncoder.encode(binding.queue(), StandardCharsets.UTF_8);
        String text = address.scheme() + "://" + address.host().text() + path;
        URI uri;
        try {
            uri = URI.create(text + "/api/v1/query?query=" + query);
        } catch (IllegalArgumentException e) {
            throw ConnectionAddress.malformed("a host name");
        }
        HttpRequest.Builder request = JsonOverHttp.request(uri);
        if (address.user().equals(BEARER)) {
            request.header("Authorization", "Bearer " + header(address.password()));
        } else if (!address.user().isEmpty()) {
            byte[] both =
                    (address.user() + ":" + address.password()).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
        }
        return new PrometheusLag(request.build());
    }

    /// The JDK's error about a header repeats its value.
    private static String header(String token) throws LagProblem {
        if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw ConnectionAddress.malformed("a bearer token of printable characters");
        }
        return token;
    }

    @Override
    public long depth() throws LagProblem, InterruptedException {
        JsonOverHttp.Answer answer = http.send(request);
        if (answer.status() == 400 || answer.status() == 422) {
            throw new LagProblem("the server rejected the query; check the field queue");
        }
        if (!answer.isGood()) {
            throw JsonOverHttp.refused(answer.status());
        }
        double value = value(answer.body().path("data"));
        if (!(value >= 0 && value <= MOST)) {
            throw new LagProblem(
                    "the query gave a value that is no number of messages; expected 0 to " + MOST);
        }
        return (long) Math.ceil(value);
    }

    private static double value(JsonNode data) throws LagProblem {
        JsonNode result = data.path("result");
        return switch (data.path("resultType").asText()) {
            case "scalar" -> number(result);
            case "vector" -> {
                if (result.size() != 1) {
                    throw new LagProblem(
                            "the query gave %d results instead of one; use sum(…), and (… or vector(0)) for none"
                                    .formatted(result.size()));
                }
                yield number(result.path(0).path("value"));
            }
            default -> throw LagProblem.garbage();
        };
    }

    /// The second part of a pair of time and value.
    private static double number(JsonNode pair) throws LagProblem {
        try {
            return Double.parseDouble(pair.path(1).asText());
        } catch (NumberFormatException e) {
            throw LagProblem.garbage();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
