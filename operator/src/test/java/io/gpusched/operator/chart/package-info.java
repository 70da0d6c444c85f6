/// Tests of the Helm chart in `deploy/helm` with the real helm and kubectl, which [KubeTools]
/// finds. Start with [ChartGoldenTest]; `deploy/helm/tests` has the values and what comes of them.
@NullMarked
package io.gpusched.operator.chart;

import org.jspecify.annotations.NullMarked;
