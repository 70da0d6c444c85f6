/// Assertions about rules, written as one sentence each. Read
/// [io.gpusched.core.kit.rule.RuleAssertions] first.
///
///     assertThat(new TooHot()).on(aShape().gpus(3), aNode("4×A100").hot(2).busy(0))
///             .refuses("free GPUs are too hot").liftedBy(cooled());
///
/// Every assertion also checks what the rule's interface promises: costs from 0 to 1, grants that
/// are free, victims that really make room.
@NullMarked
package io.gpusched.core.kit.rule;

import org.jspecify.annotations.NullMarked;
