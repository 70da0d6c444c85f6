package io.gpusched.lab.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

final class TrainingCurveTest {
    private static final String HEADER = "update,timesteps,mean_ep_return,eval_mean_return,loss";

    @Test
    void movingAveragesSkipGaps() {
        TrainingCurve curve =
                TrainingCurve.parse(
                        "log",
                        List.of(
                                HEADER,
                                "1,10,1,nan,0.5",
                                "2,20,nan,,0.5",
                                "3,30,3,0.7,0.5",
                                "4,40,nan,nan,0.5",
                                "5,50,8,nan,0.5"));
        assertThat(TrainingCurve.smooth(curve.returns(), 2))
                .containsExactly(point(10, 1), point(30, 2), point(50, 5.5));
        assertThat(curve.evaluations()).containsExactly(point(30, 0.7));
        assertThat(curve.losses()).hasSize(5);
    }

    @Test
    void aLogWithoutEvaluationsHasNone() {
        TrainingCurve curve =
                TrainingCurve.parse(
                        "log", List.of("update,timesteps,mean_ep_return,loss", "1,10,1,0.5"));
        assertThat(curve.evaluations()).isEmpty();
    }

    @Test
    void aFileThatIsNotALogIsRefusedWithTheReason() {
        assertThatThrownBy(() -> TrainingCurve.parse("log", List.of("a,b")))
                .isInstanceOf(BadRunFile.class)
                .hasMessageContaining("found no column update");
        assertThatThrownBy(() -> TrainingCurve.parse("log", List.of(HEADER)))
                .hasMessageContaining("has not finished an update yet");
        assertThatThrownBy(() -> TrainingCurve.parse("log", List.of(HEADER, "1,2,3")))
                .hasMessage("log:2: expected 5 cells, found 3");
        assertThatThrownBy(() -> TrainingCurve.parse("log", List.of(HEADER, "1,10,x,nan,1")))
                .hasMessage("log:2: column mean_ep_return: expected a number or nan, found x");
    }

    private static TrainingCurve.Point point(double steps, double value) {
        return new TrainingCurve.Point(steps, value);
    }
}
