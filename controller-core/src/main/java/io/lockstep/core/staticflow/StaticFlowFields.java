package io.lockstep.core.staticflow;

import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceResult.Invalid;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.flow.text.ActionText;
import io.lockstep.core.flow.text.FlowTextException;
import io.lockstep.core.flow.text.MatchText;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The fields of a static flow, as operators write them. Pure. */
final class StaticFlowFields {
  private static final int MOST_SECONDS = 65_535;
  private static final int MOST_TABLE = 254;

  private static final String DISPLACEABLE = "displaceable";

  private static final Pattern ID = Pattern.compile("(?!0x)[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final Pattern DPID = Pattern.compile("(?:of:|0x)?[0-9a-fA-F]{1,16}");
  private static final Pattern TEXT = Pattern.compile("[a-z0-9_]+[\\x21-\\x2b\\x2d-\\x7e]{0,100}");

  static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "flows",
          "flow",
          "static flows: rules that the cluster keeps at a switch",
          ID,
          "1 to 64 letters, digits, '_', '.' or '-', that do not begin with 0x",
          List.of(
              ResourceField.text("switch", DPID, "a datapath id of up to 16 hexadecimal digits"),
              ResourceField.whole("table", 0, MOST_TABLE, "").usual(0L),
              ResourceField.whole("priority", 0, InstallFlow.MAX_PRIORITY, "").usual(1_000L),
              ResourceField.texts(
                      "match",
                      TEXT,
                      0,
                      StaticFlowTable.MAX_TEXTS,
                      "a list of FIELD=VALUE with OpenFlow's names, such as in_port=1")
                  .usual(List.of()),
              ResourceField.texts(
                  "actions", TEXT, 1, StaticFlowTable.MAX_TEXTS, ActionText.ALLOWED),
              ResourceField.whole("idleSeconds", 0, MOST_SECONDS, "0 for never").usual(0L),
              ResourceField.whole("hardSeconds", 0, MOST_SECONDS, "0 for never").usual(0L),
              ResourceField.flag(DISPLACEABLE).usual(false)),
          Set.of(Change.ADD, Change.SET, Change.REMOVE));

  /** A field that is wrong. */
  static final class WrongField extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Invalid invalid;

    WrongField(String field, FlowTextException wrong) {
      this(field, wrong.error(), wrong.remedy());
    }

    WrongField(String field, String error, String remedy) {
      super(error, null, false, false);
      invalid = new Invalid(field, error, remedy);
    }

    Invalid invalid() {
      return invalid;
    }
  }

  private StaticFlowFields() {}

  /** The flow. Match and actions have one form, also where the operator wrote another one. */
  static StaticFlow flow(ResourceValues fields) throws WrongField {
    String digits = fields.text("switch").replaceFirst("^(?:of:|0x)", "");
    List<String> actions = actions(fields.texts("actions"));
    boolean displaceable = fields.flag(DISPLACEABLE);
    if (displaceable) {
      checkSendsToPorts(actions);
    }
    return new StaticFlow(
        HexFormat.fromHexDigitsToLong(digits),
        (int) fields.whole("table"),
        (int) fields.whole("priority"),
        match(fields.texts("match")),
        actions,
        (int) fields.whole("idleSeconds"),
        (int) fields.whole("hardSeconds"),
        displaceable);
  }

  /** What a rule drops could be served while it is displaced. */
  private static void checkSendsToPorts(List<String> actions) throws WrongField {
    try {
      if (LogicalRule.sendsToPorts(ActionText.parse(actions))) {
        return;
      }
    } catch (FlowTextException e) {
      throw new WrongField("actions", e);
    }
    throw new WrongField(
        DISPLACEABLE,
        "a flow that sends no packet to a port is never displaced",
        "leave displaceable out, or give false");
  }

  private static List<String> match(List<String> texts) throws WrongField {
    try {
      return MatchText.format(MatchText.parse(texts));
    } catch (FlowTextException e) {
      throw new WrongField("match", e);
    }
  }

  private static List<String> actions(List<String> texts) throws WrongField {
    try {
      return ActionText.format(ActionText.parse(texts));
    } catch (FlowTextException e) {
      throw new WrongField("actions", e);
    }
  }

  /** The fields of a flow. */
  static ResourceValues values(StaticFlow flow) {
    return ResourceValues.builder()
        .text("switch", HexFormat.of().toHexDigits(flow.dpid()))
        .whole("table", flow.table())
        .whole("priority", flow.priority())
        .texts("match", flow.match())
        .texts("actions", flow.actions())
        .whole("idleSeconds", flow.idleSeconds())
        .whole("hardSeconds", flow.hardSeconds())
        .flag(DISPLACEABLE, flow.displaceable())
        .build();
  }
}
