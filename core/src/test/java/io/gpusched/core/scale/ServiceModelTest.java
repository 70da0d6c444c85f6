package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.pool.LoadHistory;

import org.junit.jupiter.api.Test;

final class ServiceModelTest {
    @Test
    void theSpeedOfReplicasIsLearnedFromTheirReports() {
        var history = new LoadHistory();
        var pool = new SteadyPool(1);
        pool.noise(0.05);
        for (int i = 1; i <= 600; i++) {
            history.add(Signals.at(i), pool.second(1 + i % 20, 4));
        }
        ServiceModel found = ServiceModel.fit(history.times());
        for (int running : new int[] {5, 20, 40}) {
            assertThat(found.decoding(running)).isCloseTo(0.029 + 0.00038 * running, within(0.003));
        }
    }

    @Test
    void beforeAnythingWasSeenTheFiguresAreThoseOfAUsualModel() {
        ServiceModel found = ServiceModel.fit(new LoadHistory().times());
        assertThat(found.fixed()).isCloseTo(0.030, within(1e-9));
        assertThat(found.longest(0)).isCloseTo(0.230, within(0.001));
    }
}
