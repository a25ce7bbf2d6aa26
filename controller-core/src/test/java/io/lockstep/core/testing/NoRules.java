package io.lockstep.core.testing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleListener;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TableStatisticsEntry;

/** A flow rule service that only writes down what it is told. */
public final class NoRules implements FlowRuleService {
  public final List<FlowRule> applied = new ArrayList<>();
  public final List<FlowRule> removed = new ArrayList<>();

  @Override
  public int getFlowRuleCount() {
    return 0;
  }

  @Override
  public @Nullable FlowEntry getFlowEntry(FlowRule rule) {
    return null;
  }

  @Override
  public Iterable<FlowEntry> getFlowEntries(DeviceId deviceId) {
    return List.of();
  }

  @Override
  public void applyFlowRules(FlowRule... rules) {
    applied.addAll(List.of(rules));
  }

  @Override
  public void purgeFlowRules(DeviceId deviceId) {}

  @Override
  public void removeFlowRules(FlowRule... rules) {
    removed.addAll(List.of(rules));
  }

  @Override
  public void removeFlowRulesById(ApplicationId appId) {}

  @Override
  public Iterable<FlowEntry> getFlowEntriesById(ApplicationId id) {
    return List.of();
  }

  @Override
  public Iterable<FlowRule> getFlowRulesByGroupId(ApplicationId appId, short groupId) {
    return List.of();
  }

  @Override
  public void apply(FlowRuleOperations operations) {}

  @Override
  public Iterable<TableStatisticsEntry> getFlowTableStatistics(DeviceId deviceId) {
    return List.of();
  }

  @Override
  public void addListener(FlowRuleListener listener) {}

  @Override
  public void removeListener(FlowRuleListener listener) {}
}
