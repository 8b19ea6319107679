/* A driver that breaks one rule, which the environment variable ASSAY_MISBEHAVE names when it is opened. Takes every
 * model and answers zeros; knows no operation. The rules "dies ..." and "hangs ..." say for how many operations; models
 * of other numbers are not taken then, but where another rule wants to be seen as well. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/assay_driver.h"

/* The last constant, and how many executions are under way. */
typedef struct Prepared {
  const char* rule;
  uint8_t* constant;
  uint64_t constant_size;
  uint32_t operations;
  atomic_int running;
} Prepared;

static _Thread_local const char* g_last_error;

static int is(const char* rule, const char* name) { return strcmp(rule, name) == 0; }

static void sleep_ms(long ms) {
  const struct timespec time = {0, ms * 1000000};
  nanosleep(&time, NULL);
}

/* Whether this is the first call of all processes: the file that ASSAY_MISBEHAVE_MARK names tells them. */
static int is_first_of_all(void) {
  const char* mark = getenv("ASSAY_MISBEHAVE_MARK");
  const int file = mark == NULL ? -1 : open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

/* What a driver does at the worst of times. */
static void end_process(const char* rule, uint32_t operations) {
  if (is(rule, "dies at 2") && operations == 2) abort();
  if (is(rule, "exits at 2") && operations == 2) exit(0);
  if (is(rule, "dies once") && is_first_of_all()) abort();
  if (is(rule, "dies when shrunk") && operations < 3) abort();
  while (is(rule, "hangs at 2") && operations == 2) pause();
}

/* The rules that end the process show best where nothing else does. */
static int takes(const char* rule, uint32_t operations) {
  if (is(rule, "dies at 2") || is(rule, "exits at 2") || is(rule, "hangs at 2")) return operations == 2;
  if (is(rule, "dies once")) return operations == 1;
  return 1;
}

static int32_t supported_operations(void* context, const AssayModel* model, uint8_t* supported) {
  const char* rule = context;
  g_last_error = "who knows";
  if (is(rule, "supported fails")) return ASSAY_DEVICE_UNAVAILABLE;
  const uint32_t count = model->subgraphs[0].operation_count;
  for (uint32_t i = 0; i < count; ++i) supported[i] = is(rule, "supported is 2") ? 2 : (uint8_t)takes(rule, count);
  if (is(rule, "supported unset")) supported[model->subgraphs[0].operation_count - 1] = 0xA5;
  return ASSAY_NONE;
}

static int32_t prepare(void* context, const AssayModel* model, const AssayPrepareOptions* options, void** prepared) {
  const char* rule = context;
  (void)options;
  g_last_error = "no prepared models today";
  if (is(rule, "prepare fails")) return ASSAY_GENERAL_FAILURE;
  if (is(rule, "prepare gives null")) return ASSAY_NONE;
  Prepared* p = calloc(1, sizeof *p);
  p->rule = rule;
  p->operations = model->subgraphs[0].operation_count;
  for (uint32_t i = 0; i < model->subgraphs[0].operand_count; ++i) {
    const AssayOperand* o = &model->subgraphs[0].operands[i];
    if (o->value == NULL) continue;
    memcpy(&p->constant, &o->value, sizeof o->value);
    p->constant_size = o->value_size;
  }
  *prepared = p;
  return ASSAY_NONE;
}

static void* write_late(void* data) {
  sleep_ms(20);
  *(volatile uint8_t*)data = 77;
  return NULL;
}

static int32_t execute(void* prepared, AssayExecution* e) {
  Prepared* p = prepared;
  const char* rule = p->rule;
  AssayOutput* out = &e->outputs[0];
  g_last_error = "the execution went wrong";
  end_process(rule, p->operations);
  if (is(rule, "execute fails")) return ASSAY_GENERAL_FAILURE;
  if (is(rule, "execute lacks memory")) return ASSAY_RESOURCE_EXHAUSTED_TRANSIENT;
  if (is(rule, "execute answers 77")) return 77;
  if (is(rule, "one at a time") || is(rule, "concurrent")) {
    /* Fails if another execution of this model is under way. */
    const int running = atomic_fetch_add(&p->running, 1);
    sleep_ms(5);
    atomic_fetch_sub(&p->running, 1);
    if (running > 0) return ASSAY_GENERAL_FAILURE;
  }
  for (uint32_t i = 0; i < e->output_count; ++i) memset(e->outputs[i].data, 0, (size_t)e->outputs[i].size);
  if (is(rule, "writes past an output")) ((uint8_t*)out->data)[out->size] = 0;
  if (is(rule, "writes before an output")) ((uint8_t*)out->data)[-1] = 0;
  if (is(rule, "writes to an input")) memset((void*)(uintptr_t)e->inputs[0].data, 0x55, 1);
  if (is(rule, "writes past an input")) memset((uint8_t*)(uintptr_t)e->inputs[0].data + e->inputs[0].size, 0, 1);
  if (is(rule, "writes to a constant")) p->constant[0] ^= 1;
  if (is(rule, "writes past a constant")) p->constant[p->constant_size] = 0;
  if (is(rule, "writes late")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_late, out->data) == 0) pthread_detach(thread);
  }
  if (is(rule, "other rank")) out->rank += 1, out->dims[out->rank - 1] = 1;
  if (is(rule, "other dimension")) out->dims[0] += 1;
  if (is(rule, "absurd rank")) out->rank = 4000000000u;
  if (is(rule, "insufficient without status")) out->sufficient = 0;
  if (is(rule, "insufficient status only")) return ASSAY_OUTPUT_INSUFFICIENT_SIZE;
  if (is(rule, "says insufficient")) {
    out->dims[0] = 0;
    out->sufficient = 0;
    return ASSAY_OUTPUT_INSUFFICIENT_SIZE;
  }
  if (is(rule, "tells the time")) e->time_on_device_ns = 5;
  return ASSAY_NONE;
}

static void release(void* prepared) { free(prepared); }

static const char* last_error(void* context) { return is(context, "execute answers 77") ? NULL : g_last_error; }

/* Each opening is a driver of its own, with its own rule. */
const AssayDriver* assay_driver(void) {
  static AssayDriver drivers[64];
  static char rules[64][32];
  static size_t opened = 0;
  const size_t i = opened++ % 64;
  const char* named = getenv("ASSAY_MISBEHAVE");
  char* rule = rules[i];
  strncpy(rule, named == NULL ? "" : named, sizeof rules[i] - 1);
  if (is(rule, "dies when opened")) abort();
  if (is(rule, "null")) return NULL;
  drivers[i] = (AssayDriver){
      .abi = is(rule, "abi") ? 99 : ASSAY_DRIVER_ABI,
      .name = is(rule, "no name") ? NULL : "misbehaving",
      .version = "1",
      .device_type = is(rule, "device type") ? 9 : 1,
      .feature_level = is(rule, "feature level") ? 0 : 8,
      .concurrent_executions = is(rule, "concurrent"),
      .context = rule,
      .supported_operations = supported_operations,
      .prepare = prepare,
      .execute = is(rule, "no execute") ? NULL : execute,
      .release = release,
      .last_error = last_error,
  };
  return &drivers[i];
}
