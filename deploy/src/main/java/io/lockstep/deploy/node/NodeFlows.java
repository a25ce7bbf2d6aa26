package io.lockstep.deploy.node;

import io.lockstep.core.flow.FlowCatalog;
import io.lockstep.core.staticflow.StaticFlows;
import io.lockstep.deploy.admin.flow.FlowListDoor;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.onosproject.core.CoreService;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;

/** The intended rules of the cluster for the admin HTTP. Thread-safe. */
final class NodeFlows implements FlowListDoor {
  private static final String PATHS = "paths";

  /** The owner in the ids of rules of paths (docs/adr/0033). */
  private static final short PATH_OWNER = (short) 0x8a00;

  private final StaticFlows flows;
  private final CoreService applications;
  private final FlowTexts texts = new FlowTexts();

  NodeFlows(StaticFlows flows, CoreService applications) {
    this.flows = flows;
    this.applications = applications;
  }

  @Override
  public FlowPage page(FlowQuery query) {
    Map<Short, String> names = new HashMap<>();
    applications.getAppIds().forEach(one -> names.put(one.id(), one.name()));
    names.put(PATH_OWNER, PATHS);
    Map<Long, String> ids = flows.ids();
    String device = query.dpid().isEmpty() ? "" : "of:" + query.dpid();
    Predicate<FlowRule> wanted =
        rule ->
            (device.isEmpty() || rule.deviceId().toString().equals(device))
                && (query.rule().isEmpty() || hex(rule).equals(query.rule()))
                && (query.application().isEmpty()
                    || application(rule, names).equals(query.application()));
    FlowCatalog.Page page = flows.catalog().page(wanted, query.cursor(), query.limit());
    return new FlowPage(
        page.flows().stream().map(one -> report(one, names, ids)).toList(), page.next());
  }

  private static String hex(FlowRule rule) {
    return HexFormat.of().toHexDigits(rule.id().value());
  }

  private static String application(FlowRule rule, Map<Short, String> names) {
    return StaticFlows.isStatic(rule)
        ? StaticFlows.OWNER
        : names.getOrDefault(rule.appId(), "application " + rule.appId());
  }

  private FlowReport report(
      FlowCatalog.KnownFlow one, Map<Short, String> names, Map<Long, String> ids) {
    FlowRule rule = one.rule();
    FlowTexts.Texts text = texts.of(rule);
    String id = "0x" + hex(rule);
    return new FlowReport(
        StaticFlows.isStatic(rule) ? ids.getOrDefault(rule.id().value(), id) : id,
        id,
        application(rule, names),
        Dpids.text(rule.deviceId()),
        rule.table() instanceof IndexTableId table ? table.id() : 0,
        rule.priority(),
        text.match(),
        text.actions(),
        rule.isPermanent() ? 0 : rule.timeout(),
        rule.hardTimeout(),
        one.state().name().toLowerCase(Locale.ROOT),
        one.error(),
        one.version());
  }
}
