package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;

final class FragmentationGradientChoiceTest {
    private static final Need WHOLE = new Need(1000, 1, 1000, List.of());

    private static JobBuilder share(int milli) {
        return aJob().asking(GpuRequest.shares(milli, 0, 1));
    }

    private static ShareChoiceFitter fitter() {
        var counts = new LinkedHashMap<Need, Long>();
        counts.put(WHOLE, 1L);
        var scorer = new FragmentationGradient(TypicalWorkload.of(counts, 1));
        return new ShareChoiceFitter(new FragmentationGradientChoice(scorer), true);
    }

    @Test
    void theGpuWhereFewerFragmentsAppearIsChosen() {
        assertThat(fitter())
                .on(share(500), aNode("3×A100").running(share(500), "1"))
                .chooses("1@50%");
    }

    @Test
    void amongEqualsTheFirstIsChosen() {
        assertThat(fitter()).on(share(500), aNode("3×A100").busy(0)).chooses("1@50%");
    }

    @Test
    void aGpuOneThousandthShortIsNotChosen() {
        assertThat(fitter())
                .on(share(501), aNode("2×A100").running(share(500), "0"))
                .chooses("1@51%");
        assertThat(fitter()).on(share(501), aNode("1×A100").running(share(500), "0")).doesNotFit();
    }
}
