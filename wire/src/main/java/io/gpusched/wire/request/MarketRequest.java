package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Market;

import java.util.ArrayList;
import java.util.List;

/// Reads a request that sets the price of all nodes with a label.
public final class MarketRequest {
    private MarketRequest() {}

    public static Parsed<Market, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        String label = requestFields.text("label", "", RequestBounds.KEY);
        String value = requestFields.text("value", "", RequestBounds.VALUE);
        double price = requestFields.number("dollars_per_gpu_hour", -1, 0, 1e6);
        var market =
                new Market(
                        label,
                        value,
                        Math.round(price * 1e6),
                        requestFields.integer("grams_per_kwh", 0, 0, 1_000_000),
                        requestFields.flag("spot", false));
        if (label.isBlank() || value.isBlank()) {
            requestFields.problem(
                    label.isBlank() ? "label" : "value",
                    "expected the label and its value that select the nodes, found none",
                    "add \"label\": \"node.kubernetes.io/instance-type\", \"value\":"
                            + " \"p5.48xlarge\"");
        }
        if (price < 0 && problems.isEmpty()) {
            requestFields.problem(
                    "dollars_per_gpu_hour",
                    "expected a price, found none",
                    "write 0 for nodes without cost");
        }
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return Parsed.of(market, List.of(), problems);
    }
}
