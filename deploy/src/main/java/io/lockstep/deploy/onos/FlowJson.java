package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.resource.Shown;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.TableId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instruction;

/** Flow rules as ONOS's JSON. Pure. */
final class FlowJson {
  static final String DEVICE_ID = "deviceId";
  private static final String APP_ID = "appId";
  private static final String PRIORITY = "priority";
  private static final String TIMEOUT = "timeout";
  private static final String PERMANENT = "isPermanent";
  private static final String TABLE_ID = "tableId";
  private static final String TREATMENT = "treatment";
  private static final String INSTRUCTIONS = "instructions";
  private static final String DEFERRED = "deferred";
  private static final String CLEAR_DEFERRED = "clearDeferred";
  private static final String SELECTOR = "selector";
  private static final String CRITERIA = "criteria";
  private static final int MAX_TIMEOUT = 0xffff;
  private static final int MAX_CRITERIA = 64;
  private static final int MAX_INSTRUCTIONS = 128;
  private static final int MAX_NAME = 256;

  /** Of whom a rule is that names nobody. */
  private static final String REST_APPLICATION = "org.onosproject.rest";

  /** What a client may send back as it has read it. */
  private static final Set<String> READ_ONLY =
      Set.of(
          "groupId",
          "state",
          "life",
          "liveType",
          "lastSeen",
          "packets",
          "bytes",
          "id",
          "tableName");

  private FlowJson() {}

  /**
   * A rule whose application has no number yet.
   *
   * @param application by name
   */
  record Draft(
      String application,
      DeviceId device,
      int table,
      int priority,
      int timeout,
      TrafficSelector selector,
      TrafficTreatment treatment) {

    FlowRule of(ApplicationId id) {
      FlowRule.Builder rule =
          DefaultFlowRule.builder()
              .fromApp(id)
              .forDevice(device)
              .forTable(table)
              .withPriority(priority)
              .withSelector(selector)
              .withTreatment(treatment);
      return (timeout == 0 ? rule.makePermanent() : rule.makeTemporary(timeout)).build();
    }
  }

  /** A device in a path. */
  static DeviceId device(String id) {
    DeviceId device = parse(id);
    if (device == null) {
      throw RefusedException.missing(
          "'" + Shown.text(id) + "' is no device: give of: and 16 hexadecimal digits");
    }
    return device;
  }

  private static @Nullable DeviceId parse(String id) {
    try {
      DeviceId device = DeviceId.deviceId(id.toLowerCase(Locale.ROOT));
      return SwitchScope.isSwitch(device) ? device : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Decodes a rule.
   *
   * @param inPath the device of the path; null where the rule has to name one
   * @param inQuery the application of the query; null where it names none
   */
  static Draft read(JsonFields fields, @Nullable DeviceId inPath, @Nullable String inQuery) {
    fields.ignore(READ_ONLY);
    DeviceId device = device(fields, inPath);
    String application = inQuery == null && fields.has(APP_ID) ? fields.text(APP_ID) : inQuery;
    if (fields.has(APP_ID)) {
      fields.ignore(Set.of(APP_ID));
    }
    if (application == null) {
      application = REST_APPLICATION;
    } else if (!isName(application)) {
      throw fields.wrong(APP_ID, "is no name of 1 to " + MAX_NAME + " printable characters");
    }
    int priority = (int) fields.whole(PRIORITY, 0, InstallFlow.MAX_PRIORITY);
    boolean permanent = fields.flag(PERMANENT);
    int timeout =
        permanent && !fields.has(TIMEOUT)
            ? 0
            : (int) fields.whole(TIMEOUT, permanent ? 0 : 1, MAX_TIMEOUT);
    int table =
        fields.has(TABLE_ID) ? (int) fields.whole(TABLE_ID, 0, InstructionJson.MAX_TABLE) : 0;
    fields.ignore(Set.of(TIMEOUT, TABLE_ID));
    TrafficSelector selector = selector(fields.object(SELECTOR));
    TrafficTreatment treatment = treatment(fields.object(TREATMENT));
    fields.end();
    return new Draft(
        application, device, table, priority, permanent ? 0 : timeout, selector, treatment);
  }

  private static boolean isName(String application) {
    return !application.isBlank()
        && application.length() <= MAX_NAME
        && application.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /**
   * The device that an object names.
   *
   * @param inPath which it may leave out then, and must not contradict; null where there is none
   */
  static DeviceId device(JsonFields fields, @Nullable DeviceId inPath) {
    if (inPath != null && !fields.has(DEVICE_ID)) {
      fields.ignore(Set.of(DEVICE_ID));
      return inPath;
    }
    DeviceId device = parse(fields.text(DEVICE_ID));
    if (device == null) {
      throw fields.wrong(DEVICE_ID, "is no device: give of: and 16 hexadecimal digits");
    }
    if (inPath != null && !device.equals(inPath)) {
      throw fields.wrong(DEVICE_ID, "is another device than that of the path");
    }
    return device;
  }

  private static TrafficSelector selector(@Nullable JsonFields fields) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    if (fields == null) {
      return selector.build();
    }
    Set<Criterion.Type> seen = EnumSet.noneOf(Criterion.Type.class);
    for (JsonFields one : fields.objects(CRITERIA, MAX_CRITERIA)) {
      Criterion criterion = CriterionJson.read(one);
      if (!seen.add(criterion.type())) {
        throw one.wrong(CriterionJson.TYPE, "there are two of " + criterion.type());
      }
      selector.add(criterion);
    }
    fields.end();
    return selector.build();
  }

  private static TrafficTreatment treatment(@Nullable JsonFields fields) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    if (fields == null) {
      return treatment.build();
    }
    for (JsonFields one : fields.objects(INSTRUCTIONS, MAX_INSTRUCTIONS)) {
      treatment.add(InstructionJson.read(one));
    }
    if (fields.has(CLEAR_DEFERRED) && fields.flag(CLEAR_DEFERRED)) {
      treatment.wipeDeferred();
    }
    fields.ignore(Set.of(CLEAR_DEFERRED));
    treatment.deferred();
    for (JsonFields one : fields.objects(DEFERRED, MAX_INSTRUCTIONS)) {
      treatment.add(InstructionJson.read(one));
    }
    fields.end();
    return treatment.build();
  }

  /**
   * Encodes a rule and its state.
   *
   * @param application the name of its application
   */
  static ObjectNode write(FlowEntry entry, String application) {
    ObjectNode json =
        OnosAnswer.object()
            .put("groupId", entry.groupId().id())
            .put("state", entry.state().name())
            .put("life", entry.life())
            .put("liveType", entry.liveType().name())
            .put("lastSeen", entry.lastSeen())
            .put("packets", entry.packets())
            .put("bytes", entry.bytes())
            .put("id", Long.toString(entry.id().value()))
            .put(APP_ID, application)
            .put(PRIORITY, entry.priority())
            .put(TIMEOUT, entry.timeout())
            .put(PERMANENT, entry.isPermanent())
            .put(DEVICE_ID, entry.deviceId().toString())
            .put(TABLE_ID, table(entry.table()))
            .put("tableName", entry.table().toString());
    json.set(TREATMENT, treatment(entry.treatment()));
    ArrayNode criteria = json.putObject(SELECTOR).putArray(CRITERIA);
    entry.selector().criteria().stream()
        .sorted(Comparator.comparing(Criterion::type))
        .forEach(criterion -> criteria.add(CriterionJson.write(criterion)));
    return json;
  }

  /** The number of a table; -1 for one that has only a name, which no switch of OpenFlow has. */
  static int table(TableId table) {
    return table instanceof IndexTableId index ? index.id() : -1;
  }

  private static ObjectNode treatment(TrafficTreatment treatment) {
    ObjectNode json = OnosAnswer.object();
    ArrayNode instructions = json.putArray(INSTRUCTIONS);
    write(treatment.immediate(), instructions);
    if (treatment.tableTransition() != null) {
      instructions.add(InstructionJson.write(treatment.tableTransition()));
    }
    if (treatment.clearedDeferred()) {
      json.put(CLEAR_DEFERRED, true);
    }
    write(treatment.deferred(), json.putArray(DEFERRED));
    return json;
  }

  private static void write(List<Instruction> instructions, ArrayNode array) {
    instructions.forEach(one -> array.add(InstructionJson.write(one)));
  }
}
