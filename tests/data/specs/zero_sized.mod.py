# An internal tensor of unknown dimensions, an output that must come out with a dimension 0, and an empty constant.

m0_op0 = Input("op0", ["TENSOR_FLOAT32", [2, 3]])
m0_op1 = Parameter("op1", ["TENSOR_INT32", [0]], [])
m0_op2 = Internal("op2", ["TENSOR_FLOAT32", [0, 0]])
m0_op3 = Output("op3", ["TENSOR_FLOAT32", [0, 3]])
m0 = Model("gather_nothing")
m0.IdentifyInputs(m0_op0)
m0.IdentifyOutputs(m0_op3)
m0.Operation("FLOOR", m0_op0).To(m0_op2)
m0.Operation("EMBEDDING_LOOKUP", m0_op1, m0_op2).To(m0_op3)
m0.IntroducedIn("V1_2")
Example({m0_op0: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], m0_op3: []}, model=m0, name="gather_nothing").DisableLifeTimeVariation()
