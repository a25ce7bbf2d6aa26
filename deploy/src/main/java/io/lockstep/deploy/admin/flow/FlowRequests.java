package io.lockstep.deploy.admin.flow;

import io.lockstep.deploy.admin.answer.QueryFields;
import io.lockstep.deploy.admin.answer.QueryFields.WrongQuery;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import io.lockstep.deploy.admin.flow.FlowListDoor.FlowPage;
import io.lockstep.deploy.admin.flow.FlowListDoor.FlowQuery;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /api/v1/flows}, page by page, and {@code GET /api/v1/flows/0xRULE}. A static
 * flow by its own id is an item of the resource of this name. Thread-safe.
 */
public final class FlowRequests {
  /** Lists all rules. */
  public static final String PATH = "/api/v1/flows";

  private static final int USUAL_PAGE = 100;
  private static final Pattern DPID = Pattern.compile("(?:of:|0x)?[0-9a-fA-F]{1,16}");
  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,128}");
  private static final Pattern CURSOR = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern RULE = Pattern.compile(PATH + "/0x([0-9a-fA-F]{1,16})");

  /** Null until the node runs. */
  private volatile @Nullable FlowListDoor door;

  /** Lists these from now on. */
  public void offer(FlowListDoor flows) {
    door = flows;
  }

  /** Whether {@link #answer} answers this request. */
  public boolean answers(String method, String path) {
    boolean reads = method.equals("GET") || method.equals("HEAD");
    return reads && (path.equals(PATH) || RULE.matcher(path).matches());
  }

  /** The answer to a read. */
  public ResourceResponse answer(String path, Map<String, String> query) {
    FlowListDoor flows = door;
    if (flows == null) {
      return ResourceResponse.problem(503, "", "no node runs in this process", "ask a node");
    }
    var rule = RULE.matcher(path);
    try {
      if (!rule.matches()) {
        return ResourceResponse.of(200, flows.page(list(query)));
      }
      QueryFields.of(query, List.of());
      String id = padded(rule.group(1));
      FlowPage page = flows.page(new FlowQuery("", "", id, "", FlowListDoor.MAX_PAGE));
      return page.items().isEmpty()
          ? ResourceResponse.problem(
              404, "id", "no switch is to have a rule 0x" + id, "see " + PATH + " for all rules")
          : ResourceResponse.of(200, page);
    } catch (WrongQuery e) {
      return e.response();
    }
  }

  private static FlowQuery list(Map<String, String> query) throws WrongQuery {
    QueryFields fields = QueryFields.of(query, List.of("switch", "app", "limit", "cursor"));
    String dpid = fields.text("switch", DPID, "a datapath id of up to 16 hexadecimal digits");
    return new FlowQuery(
        dpid.isEmpty() ? "" : padded(dpid.replaceFirst("^(?:of:|0x)", "")),
        fields.text("app", NAME, "the name of an application"),
        "",
        fields.text("cursor", CURSOR, "what the page before has as next"),
        (int) fields.whole("limit", 1, FlowListDoor.MAX_PAGE, USUAL_PAGE));
  }

  private static String padded(String digits) {
    return "0".repeat(16 - digits.length()) + digits.toLowerCase(Locale.ROOT);
  }
}
