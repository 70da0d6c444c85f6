package io.gpusched.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

final class PromExpressionTest {
    @Test
    void seriesLabelsAndGroupsAreFound() {
        var found =
                PromExpression.of(
                        "histogram_quantile(0.9, sum by (le, job)"
                                + " (rate(a_bucket{x=\"1\",y=~\"$z\"}[5m]))) > 10\n"
                                + " and on (instance) b / 2 unless c{}");
        assertThat(found.selectors())
                .containsExactly(
                        new PromExpression.Selector("a_bucket", Set.of("x", "y"), Map.of("x", "1")),
                        new PromExpression.Selector("b", Set.of(), Map.of()),
                        new PromExpression.Selector("c", Set.of(), Map.of()));
        assertThat(found.grouped()).containsExactly("instance", "job", "le");
    }

    @Test
    void whatIsNotServedIsNamed() {
        var scrape = new Scrape("# HELP a text\na{x=\"1\"} 2.0\nb 1\n");
        assertThat(scrape.missing(PromExpression.of("sum by (x) (a{x=\"1\"}) + b"), Set.of("x")))
                .isEmpty();
        assertThat(
                        scrape.missing(
                                PromExpression.of("sum by (y) (a{x=\"2\",z=\"\"}) + d"),
                                Set.of("w")))
                .isEqualTo(
                        List.of(
                                "label z of a",
                                "a{x=\"2\"}",
                                "a{z=\"\"}",
                                "series d",
                                "label y",
                                "label w"));
    }
}
