package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

final class RequestDigestTest {
    private static final TenantId TENANT = new TenantId("ml");
    private static final Resources HOST = Resources.cores(4, 16_384);

    @Test
    void everythingThatAJobAsksForCounts() {
        var shapes = new ArrayList<Shape>();
        shapes.add(Shape.of(GpuRequest.whole(0, 0), HOST));
        shapes.add(Shape.of(GpuRequest.whole(2, 0), HOST));
        shapes.add(Shape.of(GpuRequest.whole(2, 40_000), HOST));
        shapes.add(Shape.of(new GpuRequest.Whole(2, 0, Locality.NVLINK, 0), HOST));
        shapes.add(Shape.of(new GpuRequest.Whole(2, 0, Locality.ANY, 600), HOST));
        shapes.add(Shape.of(GpuRequest.slices("1g.5gb", 2), HOST));
        shapes.add(Shape.of(GpuRequest.shares(500, 0, 2), HOST));
        shapes.add(Shape.of(GpuRequest.shares(500, 2_000, 2), HOST));
        shapes.add(Shape.of(GpuRequest.whole(2, 0), Resources.cores(8, 16_384)));
        shapes.add(Shape.of(GpuRequest.whole(2, 0), Resources.cores(4, 32_768)));
        shapes.add(shape(List.of(GpuModel.parse("A100-80GB")), Labels.NONE, List.of()));
        shapes.add(shape(List.of(GpuModel.parse("A100")), Labels.NONE, List.of()));
        shapes.add(shape(List.of(), Labels.of("zone", "a"), List.of()));
        shapes.add(shape(List.of(), Labels.of("a", "zone"), List.of()));
        shapes.add(shape(List.of(), Labels.NONE, List.of(new Toleration("t", true, "", ""))));
        shapes.add(shape(List.of(), Labels.NONE, List.of(new Toleration("t", false, "", ""))));
        shapes.add(requiring(List.of(List.of(zone("a"), zone("b")))));
        shapes.add(requiring(List.of(List.of(zone("a")), List.of(zone("b")))));
        shapes.add(requiring(List.of(List.of(zone("a", "b")))));
        var roles = new ArrayList<List<Role>>();
        shapes.forEach(shape -> roles.add(List.of(Role.of(shape, 1))));
        roles.add(List.of(Role.of(shapes.getFirst(), 2)));
        roles.add(List.of(Role.ofGang(shapes.getFirst(), 2)));
        roles.add(List.of(Role.of(shapes.getFirst(), 1), Role.of(shapes.getFirst(), 1)));

        var seen = new HashSet<Long>();
        for (List<Role> each : roles) {
            JobSpec job = JobSpec.builder(TENANT, each).build();
            assertThat(seen.add(RequestDigest.of(job))).as("%s", each).isTrue();
            JobSpec near = job.withNear(List.of(new Proximity("rack", true)));
            assertThat(seen.add(RequestDigest.of(near))).as("near, %s", each).isTrue();
        }
    }

    @Test
    void whatTheSchedulerAddsDoesNotCount() {
        JobSpec job =
                JobSpec.builder(TENANT, List.of(Role.of(Shape.of(GpuRequest.whole(1, 0), HOST), 1)))
                        .build();
        var spot = new CapacityRule(CapacityRule.Kind.SPOT, List.of());

        assertThat(RequestDigest.of(job.on(spot))).isEqualTo(RequestDigest.of(job));
    }

    /// The fingerprint stands in journals, so a build must compute the one of an earlier build.
    @Test
    void theFingerprintOfARequestStaysTheSame() {
        JobSpec job =
                JobSpec.builder(
                                TENANT,
                                List.of(
                                        Role.of(
                                                shape(
                                                        List.of(GpuModel.parse("H100-80GB")),
                                                        Labels.of("zone", "a"),
                                                        List.of(
                                                                new Toleration(
                                                                        "spot", true, "", ""))),
                                                4)))
                        .near(List.of(new Proximity("rack", false)))
                        .build();

        assertThat(RequestDigest.of(job)).isEqualTo(5_815_074_538_437_280_772L);
    }

    private static NodeRequirement zone(String... values) {
        return new NodeRequirement("zone", NodeRequirement.Operator.IN, List.of(values));
    }

    private static Shape requiring(List<List<NodeRequirement>> any) {
        return shape(List.of(), Labels.NONE, List.of()).requiring(new NodeAlternatives(any));
    }

    private static Shape shape(List<GpuModel> models, Labels nodes, List<Toleration> tolerates) {
        return new Shape(GpuRequest.whole(2, 0), HOST, models, nodes, tolerates);
    }
}
