package io.gpusched.demo.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.replica.ServingRequest;

import org.junit.jupiter.api.Test;

import java.util.Comparator;

final class TrafficDayTest {
    private final TrafficDay day = new TrafficDay(1);

    @Test
    void theSameSeedGivesTheSameRequests() {
        assertThat(new TrafficDay(1).requests()).isEqualTo(day.requests());
        assertThat(new TrafficDay(2).requests()).isNotEqualTo(day.requests());
    }

    @Test
    void theMorningComesWithinTwoMinutesAndTheNightIsQuiet() {
        assertThat(TrafficDay.rate(0)).isLessThan(2);
        assertThat(TrafficDay.rate(100)).isGreaterThan(8);
        assertThat(arrivals(0, 20)).isLessThan(arrivals(100, 120) / 3);
        assertThat(arrivals(480, 540)).isLessThan(arrivals(100, 160) / 3);
    }

    @Test
    void oneDayFollowsAnother() {
        int requests = day.requests().size();
        ServingRequest first = day.request(3);
        ServingRequest again = day.request(2L * requests + 3);
        assertThat(again.number()).isEqualTo(first.number());
        assertThat(again.arrival()).isEqualTo(first.arrival() + 2 * TrafficDay.SECONDS);
        assertThat(day.requests())
                .isSortedAccordingTo(Comparator.comparingDouble(ServingRequest::arrival));
    }

    private long arrivals(double from, double to) {
        return day.requests().stream()
                .filter(request -> request.arrival() >= from && request.arrival() < to)
                .count();
    }
}
