/* A whole driver for Assay in one file: float32 ADD of equal shapes, without activation or with RELU, and RELU. Knows
 * one thread's worth of memory management and no cleverness: a place to begin one's own. README.md builds it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "driver/assay_driver.h"

/* NNAPI's codes, as far as they are needed here. */
enum { INT32 = 1, TENSOR_FLOAT32 = 3 };
enum { ADD = 0, RELU = 19 };
enum { NO_ACTIVATION = 0, ACTIVATION_RELU = 1 };

/* ---- What is supported ---- */

/* The number of elements; 0 if a dimension, or all, are unknown. */
static size_t count_of(const AssayOperand* o) {
  size_t count = o->rank == 0 ? 0 : 1;
  for (uint32_t i = 0; i < o->rank; ++i) count *= o->dims[i];
  return count;
}

static int is_known_float_tensor(const AssayOperand* o) {
  return o->type == TENSOR_FLOAT32 && o->lifetime != ASSAY_NO_VALUE && count_of(o) > 0;
}

static int same_shape(const AssayOperand* a, const AssayOperand* b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* The fused activation of an ADD; -1 if it is not known before execution. */
static int32_t activation_of(const AssayOperand* o) {
  int32_t activation = -1;
  if (o->type == INT32 && o->value != NULL) memcpy(&activation, o->value, sizeof activation);
  return activation;
}

static int is_supported(const AssaySubgraph* graph, const AssayOperation* operation) {
  const AssayOperand* operands = graph->operands;
  if (operation->code != ADD && operation->code != RELU) return 0;
  const AssayOperand* out = &operands[operation->outputs[0]];
  const AssayOperand* a = &operands[operation->inputs[0]];
  if (!is_known_float_tensor(a) || !is_known_float_tensor(out) || !same_shape(a, out)) return 0;
  if (operation->code == RELU) return 1;
  const AssayOperand* b = &operands[operation->inputs[1]];
  const int32_t activation = activation_of(&operands[operation->inputs[2]]);
  return is_known_float_tensor(b) && same_shape(b, out) &&
         (activation == NO_ACTIVATION || activation == ACTIVATION_RELU);
}

static int32_t supported_operations(void* context, const AssayModel* model, uint8_t* supported) {
  (void)context;
  const AssaySubgraph* graph = &model->subgraphs[0];
  for (uint32_t i = 0; i < graph->operation_count; ++i)
    supported[i] = (uint8_t)is_supported(graph, &graph->operations[i]);
  return ASSAY_NONE;
}

/* ---- Preparing: all but the constants is copied, for it is gone when `prepare` has returned ---- */

/* Where the elements of a tensor are while a model is executed. */
typedef enum { CONSTANT, INPUT, OUTPUT, TEMPORARY } Where;
typedef struct Place {
  Where where;
  const float* constant;
  size_t index; /* of the input or output; of the first element among the temporaries */
} Place;

typedef struct Step {
  int relu;
  size_t count;
  Place a, b, out;
  int has_b;
} Step;

typedef struct Prepared {
  size_t step_count, temporary_count;
  Step steps[];
} Prepared;

static size_t find(const uint32_t* list, uint32_t count, uint32_t operand) {
  size_t i = 0;
  while (i < count && list[i] != operand) ++i;
  return i;
}

static Place place_of(const AssaySubgraph* graph, const size_t* temporaries, uint32_t operand) {
  const AssayOperand* o = &graph->operands[operand];
  switch (o->lifetime) {
    case ASSAY_SUBGRAPH_INPUT:
      return (Place){INPUT, NULL, find(graph->inputs, graph->input_count, operand)};
    case ASSAY_SUBGRAPH_OUTPUT:
      return (Place){OUTPUT, NULL, find(graph->outputs, graph->output_count, operand)};
    case ASSAY_TEMPORARY_VARIABLE:
      return (Place){TEMPORARY, NULL, temporaries[operand]};
    default:
      return (Place){CONSTANT, o->value, 0};
  }
}

static int32_t prepare(void* context, const AssayModel* model, const AssayPrepareOptions* options, void** prepared) {
  (void)context;
  (void)options;
  const AssaySubgraph* graph = &model->subgraphs[0];
  for (uint32_t i = 0; i < graph->operation_count; ++i)
    if (!is_supported(graph, &graph->operations[i])) return ASSAY_INVALID_ARGUMENT;
  Prepared* p = malloc(sizeof *p + graph->operation_count * sizeof p->steps[0]);
  size_t* temporaries = calloc((size_t)graph->operand_count + 1, sizeof *temporaries);
  if (p == NULL || temporaries == NULL) {
    free(p);
    free(temporaries);
    return ASSAY_RESOURCE_EXHAUSTED_TRANSIENT;
  }
  p->temporary_count = 0;
  for (uint32_t i = 0; i < graph->operand_count; ++i) {
    temporaries[i] = p->temporary_count;
    if (graph->operands[i].lifetime == ASSAY_TEMPORARY_VARIABLE) p->temporary_count += count_of(&graph->operands[i]);
  }
  p->step_count = graph->operation_count;
  for (uint32_t i = 0; i < graph->operation_count; ++i) {
    const AssayOperation* operation = &graph->operations[i];
    Step* step = &p->steps[i];
    step->has_b = operation->code == ADD;
    step->relu = operation->code == RELU || activation_of(&graph->operands[operation->inputs[2]]) == ACTIVATION_RELU;
    step->count = count_of(&graph->operands[operation->outputs[0]]);
    step->a = place_of(graph, temporaries, operation->inputs[0]);
    step->b = place_of(graph, temporaries, operation->inputs[step->has_b ? 1 : 0]);
    step->out = place_of(graph, temporaries, operation->outputs[0]);
  }
  free(temporaries);
  *prepared = p;
  return ASSAY_NONE;
}

/* ---- Executing: writes to nothing but the outputs and memory of its own, so any number of threads may ---- */

static const float* read_from(const AssayExecution* e, const float* temporaries, const Place* place) {
  switch (place->where) {
    case INPUT:
      return e->inputs[place->index].data;
    case OUTPUT:
      return e->outputs[place->index].data;
    case TEMPORARY:
      return temporaries + place->index;
    default:
      return place->constant;
  }
}

static int32_t execute(void* prepared, AssayExecution* e) {
  const Prepared* p = prepared;
  int32_t status = ASSAY_NONE;
  for (size_t i = 0; i < p->step_count; ++i) {
    const Step* step = &p->steps[i];
    if (step->out.where != OUTPUT) continue;
    AssayOutput* out = &e->outputs[step->out.index]; /* its dims are the declared ones, which are all known */
    out->sufficient = out->size >= step->count * sizeof(float);
    if (!out->sufficient) status = ASSAY_OUTPUT_INSUFFICIENT_SIZE;
  }
  if (status != ASSAY_NONE) return status;
  float* temporaries = malloc((p->temporary_count + 1) * sizeof *temporaries);
  if (temporaries == NULL) return ASSAY_RESOURCE_EXHAUSTED_TRANSIENT;
  for (size_t i = 0; i < p->step_count; ++i) {
    const Step* step = &p->steps[i];
    const float* a = read_from(e, temporaries, &step->a);
    const float* b = read_from(e, temporaries, &step->b);
    float* out = step->out.where == OUTPUT ? e->outputs[step->out.index].data : temporaries + step->out.index;
    for (size_t k = 0; k < step->count; ++k) {
      const float sum = step->has_b ? a[k] + b[k] : a[k];
      out[k] = step->relu && sum < 0 ? 0 : sum;
    }
  }
  free(temporaries);
  return ASSAY_NONE;
}

static void release(void* prepared) { free(prepared); }

/* ---- The one symbol ---- */

const AssayDriver* assay_driver(void) {
  static const AssayPerformance performance[] = {{TENSOR_FLOAT32, 1, 1}};
  static const AssayDriver driver = {
      .abi = ASSAY_DRIVER_ABI,
      .name = "example",
      .version = "1",
      .device_type = 2, /* CPU */
      .feature_level = 8,
      .concurrent_executions = 1,
      .performance_count = 1,
      .performance = performance,
      .supported_operations = supported_operations,
      .prepare = prepare,
      .execute = execute,
      .release = release,
  };
  return &driver;
}
