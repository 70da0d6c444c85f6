package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.RegionForecast;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

final class CarbonLedgerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final NodePrices prices = new NodePrices();
    private final CarbonLedger ledger = new CarbonLedger(prices);

    private static RegionForecast of(String region, Integer... grams) {
        return new RegionForecast(region, NOW, HOUR, List.of(grams));
    }

    private int grams(JobBuilder job) {
        CarbonForecast found = ledger.forecast(job.spec(), NOW);
        return found == null ? 0 : (int) found.grams(0);
    }

    @Test
    void theNewestForecastOfARegionReplacesTheEarlierOne() {
        long empty = ledger.digest();
        ledger.put(of("eu", 300, 200));
        long first = ledger.digest();
        ledger.put(of("us", 400));
        ledger.put(of("eu", 100));
        assertThat(ledger.all()).containsExactly(of("eu", 100), of("us", 400));
        ledger.put(of("eu", 300, 200));
        ledger.remove("us");
        assertThat(ledger.digest()).isEqualTo(first).isNotEqualTo(empty);
    }

    @Test
    void aForecastThatIsOverIsForgotten() {
        ledger.put(of("eu", 300, 200));
        ledger.put(of("us", 300));
        ledger.timePassed(NOW.plus(HOUR).minusMillis(1));
        assertThat(ledger.all()).hasSize(2);
        ledger.timePassed(NOW.plus(HOUR));
        assertThat(ledger.all()).containsExactly(of("eu", 300, 200));
        ledger.timePassed(NOW.plus(Duration.ofHours(2)));
        assertThat(ledger.isEmpty()).isTrue();
        assertThat(ledger.digest()).isZero();
    }

    @Test
    void aForecastCountsOnlyForTheTimeThatItCovers() {
        ledger.put(of("eu", 300, 200));
        assertThat(ledger.forecast("eu", NOW.minusMillis(1))).isNull();
        assertThat(ledger.forecast("eu", NOW)).isNotNull();
        assertThat(ledger.forecast("eu", NOW.plus(HOUR.multipliedBy(2)))).isNull();
    }

    @Test
    void theRegionOfAJobIsTheSelectedElseAPreferredElseTheDefaultOne() {
        ledger.put(of("default", 1));
        ledger.put(of("eu", 2));
        ledger.put(of("us", 3));
        var prefers = CarbonPreference.in(List.of("mars", "us", "eu"));
        assertThat(grams(aJob())).isEqualTo(1);
        assertThat(grams(aJob().carbon(prefers))).isEqualTo(3);
        assertThat(grams(aJob().carbon(prefers).onNodesWith("region", "eu"))).isEqualTo(2);
        assertThat(grams(aJob().onNodesWith("topology.kubernetes.io/region", "us"))).isEqualTo(3);
        assertThat(grams(aJob().onNodesWith("region", "mars"))).as("no forecast there").isZero();
    }

    @Test
    void withoutAForecastTheMarketTellsTheIntensityOfANode() {
        prices.put(new Market("region", "eu", 1_000_000, 450, false));
        Labels eu = Labels.of("region", "eu");
        assertThat(ledger.gramsPerKwh(eu, NOW)).isEqualTo(450);
        assertThat(ledger.gramsPerKwh(Labels.NONE, NOW)).isZero();
        ledger.put(of("eu", 300, 200));
        assertThat(ledger.gramsPerKwh(eu, NOW)).isEqualTo(300);
        assertThat(ledger.gramsPerKwh(eu, NOW.plus(HOUR))).isEqualTo(200);
        assertThat(ledger.gramsPerKwh(eu, NOW.plus(HOUR.multipliedBy(2)))).isEqualTo(450);
    }
}
