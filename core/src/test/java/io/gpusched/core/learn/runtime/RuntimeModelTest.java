package io.gpusched.core.learn.runtime;

import static io.gpusched.core.learn.runtime.World.batch;
import static io.gpusched.core.learn.runtime.World.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.model.Check;

import org.junit.jupiter.api.Test;

import java.util.List;

final class RuntimeModelTest {
    @Test
    void anUnknownKindHasAWideEstimate() {
        var model = new RuntimeModel();
        RuntimeEstimate runtimeEstimate = model.estimate(work("new", "A100"), new World(1).now);
        assertThat(runtimeEstimate.quantile(0.05)).isLessThan(60);
        assertThat(runtimeEstimate.quantile(0.95)).isGreaterThan(86_400);
        assertThat(runtimeEstimate.belief().epistemic()).isGreaterThan(1);
        assertThat(runtimeEstimate.belief().samples()).isZero();
    }

    @Test
    void theErrorOfTheMeanShrinksAndTheSpreadOfRunsStays() {
        var world = new World(2);
        for (int i = 0; i < 10; i++) {
            world.ran(work("train", "A100"), world.about(600, 0.3));
        }
        Belief few = world.model.belief(work("train", "A100"));
        for (int i = 0; i < 190; i++) {
            world.ran(work("train", "A100"), world.about(600, 0.3));
        }
        Belief many = world.model.belief(work("train", "A100"));
        assertThat(many.epistemic()).isLessThan(few.epistemic() / 2).isLessThan(0.06);
        assertThat(Math.sqrt(many.variance())).isCloseTo(0.3, within(0.06));
        assertThat(many.typicalSeconds()).isCloseTo(600, within(40.0));
        assertThat(many.samples()).isEqualTo(200);
    }

    @Test
    void aKindNewToAGpuModelBorrowsItsSpeedRatioFromOtherKinds() {
        var world = new World(3);
        for (int i = 0; i < 60; i++) {
            for (String kind : List.of("a", "b", "c")) {
                double seconds = kind.equals("a") ? 100 : kind.equals("b") ? 900 : 5000;
                world.ran(work(kind, "A100"), world.about(seconds, 0.2));
                world.ran(work(kind, "H100"), world.about(seconds / 2.5, 0.2));
            }
        }
        for (int i = 0; i < 20; i++) {
            world.ran(work("d", "A100"), world.about(2000, 0.2));
        }
        RuntimeEstimate elsewhere = world.model.estimate(work("d", "H100"), world.now);
        assertThat(elsewhere.belief().typicalSeconds()).isCloseTo(800, within(160.0));
        assertThat(elsewhere.median()).isCloseTo(800, within(200.0));
        assertThat(elsewhere.belief().epistemic())
                .isGreaterThan(world.model.belief(work("d", "A100")).epistemic());
    }

    @Test
    void aNewKindBorrowsFromItsFamily() {
        var world = new World(4);
        for (int i = 0; i < 50; i++) {
            world.ran(work("vision/resnet", "A100"), world.about(3600, 0.3));
            world.ran(work("text/tiny", "A100"), world.about(10, 0.3));
        }
        double sibling = world.model.belief(work("vision/vit", "A100")).typicalSeconds();
        assertThat(sibling).isBetween(2500.0, 5000.0);
        assertThat(world.model.estimate(work("vision/vit", "A100"), world.now).median())
                .isGreaterThan(world.model.estimate(work("text/x", "A100"), world.now).median());
    }

    @Test
    void featuresMoveTheEstimateAlsoWhereNoRunHadThem() {
        var world = new World(5);
        for (int i = 0; i < 80; i++) {
            double size = 16 << (i % 4);
            world.ran(batch("train", size), world.about(10 * size, 0.1));
        }
        assertThat(world.model.estimate(batch("train", 64), world.now).median())
                .isCloseTo(640, within(80.0));
        assertThat(world.model.estimate(batch("train", 512), world.now).median())
                .isCloseTo(5120, within(1000.0));
    }

    @Test
    void aChangeOfTheWorkIsDetectedAndFollowed() {
        var world = new World(6);
        for (int i = 0; i < 200; i++) {
            world.ran(work("nightly", "A100"), world.about(600, 0.2));
        }
        assertThat(world.model.learned().getFirst().changes()).isZero();
        for (int i = 0; i < 25; i++) {
            world.ran(work("nightly", "A100"), world.about(1800, 0.2));
        }
        RuntimeModel.Learned learned = world.model.learned().getFirst();
        assertThat(learned.changes()).isBetween(1L, 2L);
        assertThat(learned.lastNoticed()).isAfter(world.now.minusSeconds(25 * 3600));
        assertThat(world.model.estimate(work("nightly", "A100"), world.now).median())
                .isBetween(1200.0, 2400.0);
    }

    @Test
    void runsInProgressLengthenTheEstimate() {
        var world = new World(7);
        for (int i = 0; i < 20; i++) {
            world.ran(work("train", "A100"), world.about(600, 0.1));
        }
        double before = world.model.estimate(work("train", "A100"), world.now).median();
        for (int job = 0; job < 60; job++) {
            world.model.started(job, work("train", "A100"), List.of(), world.now);
        }
        world.now = world.now.plusSeconds(3000);
        RuntimeEstimate after = world.model.estimate(work("train", "A100"), world.now);
        assertThat(before).isCloseTo(600, within(100.0));
        assertThat(after.median()).isGreaterThan(3000);
        for (int job = 0; job < 60; job++) {
            world.model.abandoned(job);
        }
        assertThat(world.model.going()).isZero();
        assertThat(world.model.estimate(work("train", "A100"), world.now).median())
                .isCloseTo(before, within(20.0));
    }

    @Test
    void impossibleRuntimesAreIgnored() {
        var world = new World(8);
        world.ran(work("train", "A100"), 600);
        ModelImage before = world.model.image();
        for (double seconds : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e12}) {
            world.ran(work("train", "A100"), seconds);
        }
        world.model.ended(12345, world.now, world.now);
        assertThat(world.model.image()).isEqualTo(before);
    }

    @Test
    void beyondTheBoundTheOldestKindsAreForgotten() {
        var world = new World(9);
        for (int i = 0; i < 10_000; i++) {
            world.ran(work("kind-" + i, "A100"), 60, i % 2 == 0 ? new String[0] : other(i));
        }
        ModelImage image = world.model.image();
        assertThat(image.pasts()).hasSize(4096);
        assertThat(image.slopes()).hasSize(4096);
        assertThat(image.families()).hasSize(1024);
        assertThat(image.pasts().getLast().kind()).isEqualTo("kind-9999");
        assertThat(world.model.belief(work("kind-1", "A100")).samples()).isZero();
        assertThat(world.model.belief(work("kind-1", "A100")).typicalSeconds())
                .isCloseTo(60, within(10.0));
    }

    private static String[] other(int i) {
        return new String[] {"kind-" + (i - 1)};
    }

    @Test
    void anImageOfAnotherVersionIsRefused() {
        ModelImage image = new RuntimeModel().image();
        var other =
                new ModelImage(
                        image.version() + 1,
                        image.pasts(),
                        image.slopes(),
                        image.going(),
                        image.families(),
                        image.all(),
                        image.within(),
                        image.between(),
                        image.speeds(),
                        image.pairs(),
                        image.calibrations(),
                        image.lost(),
                        image.score());
        assertThatThrownBy(() -> RuntimeModel.restored(other))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("version");
    }
}
