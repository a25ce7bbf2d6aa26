package io.lockstep.deploy.admin.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flow rules that the cluster keeps at its switches. Thread-safe; does not wait. */
public interface FlowListDoor {
  /** Rules of one page at most. */
  int MAX_PAGE = 1_000;

  /**
   * A page.
   *
   * @throws IllegalArgumentException where the query's cursor comes from no page
   */
  FlowPage page(FlowQuery query);

  /**
   * Which rules.
   *
   * @param dpid 16 hexadecimal digits; empty for all
   * @param application its name; empty for all
   * @param rule id of the rule in hexadecimal; empty for all
   * @param cursor of the page before; empty for the first
   */
  record FlowQuery(String dpid, String application, String rule, String cursor, int limit) {}

  /**
   * Rules in the order of their switches.
   *
   * @param next cursor of the next page; left out where there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record FlowPage(List<FlowReport> items, @Nullable String next) {
    public FlowPage {
      items = List.copyOf(items);
    }
  }

  /**
   * A rule.
   *
   * @param id that an operator chose for a static flow; else {@code 0x} and 16 digits
   * @param rule its id at the switch, {@code 0x} and 16 digits
   * @param app the application that wants it: a name, {@code static} or {@code paths}
   * @param dpid 16 hexadecimal digits
   * @param match with OpenFlow's names
   * @param state {@code pending_add}, {@code added}, {@code failed} or {@code pending_remove}
   * @param error why its switch refused it, or its removal; empty where it did not
   * @param version of what the store has of it
   */
  record FlowReport(
      String id,
      String rule,
      String app,
      @JsonProperty("switch") String dpid,
      int table,
      int priority,
      List<String> match,
      List<String> actions,
      int idleSeconds,
      int hardSeconds,
      String state,
      String error,
      long version) {}
}
